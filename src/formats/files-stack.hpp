// SPDX-License-Identifier: LGPL-3.0-or-later
// A stack whose pages lie in several files.
#pragma once
#include "base/error.hpp"
#include "formats/descriptor.hpp"
#include "formats/samples.hpp"
#include <fcntl.h>

namespace sino::formats {

class FilesStack : public Stack
{
public:
  std::vector<FileStamp> files () const override { return stamps; }
  // Bytes of the names and stamps of the files.
  size_t resident () const override
  {
    auto bytes = stamps.capacity () * sizeof (FileStamp);
    for (const auto &path : paths)
      bytes += sizeof (std::string) + path.capacity ();
    return bytes;
  }

protected:
  const std::vector<std::string> paths;
  std::vector<FileStamp> stamps; // state of the files when their pages were found

  explicit FilesStack (const std::vector<std::string> &p) : paths (p) { name = paths[0]; }

  // Throws if the images of a file differ from those of the first one, which has the samples `first`.
  void require_alike (const std::string &title, const Samples &found, int64_t found_lines, int64_t found_columns,
                      const Samples &first) const
  {
    if (found.type != first.type || found.element () != first.element () || found_lines != lines ||
        found_columns != columns)
      fail (SINO_ERROR_BAD_FILE,
            "%s is %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " %s, but '%s' is %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
            " %s: all images of a scan must have the same size and type",
            title.c_str (), found_lines, found_columns, name_of (found.type), paths[0].c_str (), lines, columns,
            name_of (first.type));
  }

  // The file that a thread read last. Checks before and after reading that it has not changed.
  class Open
  {
  public:
    explicit Open (const FilesStack &s) : stack (s) {}

    bool has (size_t file) const { return descriptor && number == file; }
    const Descriptor &file (size_t wanted)
    {
      if (!has (wanted)) {
        close ();
        descriptor.emplace (stack.paths[wanted], O_RDONLY);
        descriptor->require (stack.stamps[wanted]);
        number = wanted;
      }
      return *descriptor;
    }
    void close ()
    {
      if (descriptor)
        descriptor->require (stack.stamps[number]);
      descriptor.reset ();
    }

  private:
    const FilesStack &stack;
    size_t number = 0;
    std::optional<Descriptor> descriptor;
  };
};

} // namespace sino::formats
