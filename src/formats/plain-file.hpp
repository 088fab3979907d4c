// SPDX-License-Identifier: LGPL-3.0-or-later
// A target that is one file with all pixels one after the other, from an offset on. It has its final name when it is
// complete.
#pragma once
#include "base/output-file.hpp"
#include "base/temporary.hpp"
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

  void finish () override
  {
    file.commit (planned.overwrite);
    folders.keep ();
  }

protected:
  explicit PlainFile (const Planned &p, int64_t first = 0)
      : planned (p), folders (p.pattern.name (0)), file (p.pattern.name (0)),
        out (file.path (), O_RDWR, file.final_path ()), first_pixel (first)
  {
  }

  const Planned planned;
  MadeFolders folders;
  Temporary file;
  Descriptor out;
  int64_t first_pixel;
};

} // namespace sino::formats
