// SPDX-License-Identifier: LGPL-3.0-or-later
// A target that is one file with all pixels one after the other, after a head. It gets its final name when it is
// complete.
#pragma once
#include "base/files/output-file.hpp"
#include "base/files/temporary.hpp"
#include "formats/descriptor.hpp"
#include "formats/target.hpp"
#include <fcntl.h>

namespace sino::formats {

class PlainFile : public Target
{
public:
  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    out.write (pixels, static_cast<size_t> (lines.size () * planned.line_bytes ()),
               first_pixel + page * planned.page_bytes () + lines.begin * planned.line_bytes ());
  }

  void sync () override
  {
    out.sync ();
    folders.sync ();
  }

  std::optional<Unfinished> unfinished () const override
  {
    return Unfinished{file.path (), out.stamp ().inode, first_pixel, out.birth ()};
  }

  void outlive () override
  {
    file.outlive ();
    folders.keep ();
    outlives = true;
  }

  void discard () override
  {
    file.drop ();
    folders.drop ();
    outlives = false;
  }

  void finish () override
  {
    out.check_length ();
    file.commit (planned.overwrite || has_its_name ());
    folders.keep ();
  }

protected:
  explicit PlainFile (const Planned &p, int64_t first = 0)
      : planned (p), folders (p.pattern.name (0)), file (make_file (p)), out (file.path (), O_RDWR, file.final_path ()),
        first_pixel (p.unfinished ? p.unfinished->first_pixel : first)
  {
    if (p.unfinished && !p.joined) {
      out.expect (out.size ());
      out.reserve (); // allocates the space that was not reserved yet
    }
  }

  // Whether the file has its final name already, from an earlier run that was then killed.
  bool has_its_name () const { return file.path () == file.final_path (); }

  const Planned planned;
  MadeFolders folders;
  Temporary file;
  Descriptor out;
  int64_t first_pixel;
  bool outlives = false; // whether the written data outlives this object

private:
  static Temporary make_file (const Planned &p)
  {
    const auto path = p.pattern.name (0);
    return !p.unfinished ? Temporary (path)
           : p.joined    ? Temporary::of_another (path, p.unfinished->path)
                         : Temporary (path, p.unfinished->path);
  }
};

} // namespace sino::formats
