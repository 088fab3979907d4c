// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads lines with C libraries that request the bytes of a file in parts, and exit from their functions by longjmp. A
// function that calls them has no object with a destructor, because longjmp would skip it. A function that they call
// throws no exception, because C code cannot pass it on.
#pragma once
#include "base/error.hpp"
#include "tasks/files/png/line-images.hpp"
#include <algorithm>

namespace sino::files {

struct FileFeed : NoCopy {
  static constexpr size_t buffer_bytes = 65536;
  const Descriptor &file;
  int64_t offset = 0, size; // bytes read so far, and all bytes of the file
  char reason[200] = "";    // error message of the library
  std::byte buffer[buffer_bytes];

  explicit FileFeed (const Descriptor &f) : file (f), size (f.size ()) {}

  // Reads the next part of the file into the buffer. Returns its size; on failure returns 0 and sets the reason.
  size_t fill () noexcept
  {
    const auto n = std::min<int64_t> (buffer_bytes, size - offset);
    try {
      if (n <= 0)
        fail (SINO_ERROR_BAD_FILE, "the file ends before its pixels do");
      file.read (buffer, static_cast<size_t> (n), offset);
    } catch (const std::exception &error) {
      g_strlcpy (reason, error.what (), sizeof reason);
      return 0;
    }
    offset += n;
    return static_cast<size_t> (n);
  }
};

// `Library` is a FileFeed with begin (), line () and end (), which return false and leave a reason if they fail.
template <class Library> class LibraryReader final : public LineReader
{
public:
  Library library;

  LibraryReader (const Descriptor &file, std::string t) : library (file), title (std::move (t))
  {
    require (library.begin ());
  }

  void line (std::byte *to) override { require (library.line (to)); }
  void end () override { require (library.end ()); }

  static std::unique_ptr<LineReader> open (const Descriptor &file, const std::string &title)
  {
    return std::make_unique<LibraryReader> (file, title);
  }

private:
  const std::string title;

  void require (bool done) const
  {
    if (!done)
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s", title.c_str (), library.reason);
  }
};

} // namespace sino::files
