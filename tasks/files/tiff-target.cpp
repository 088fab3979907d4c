// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "base/temporary.hpp"
#include "files/descriptor.hpp"
#include "files/target.hpp"
#include "files/tiff-head.hpp"
#include <fcntl.h>

namespace sino::files {

namespace {

class Sequence final : public Target
{
public:
  explicit Sequence (const Planned &p)
      : planned (p), head (tiff_head (1, p.lines (), p.columns (), p.element, p.provenance))
  {
    make_folders (planned.pattern.name (0));
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    if (!(lines == Interval{0, planned.lines ()}))
      fail (SINO_ERROR_FAILED, "a page of a sequence of TIFFs came in parts");
    Temporary file (planned.pattern.name (planned.format.axes[0].number (page)));
    {
      Descriptor out (file.path (), O_WRONLY, file.final_path ());
      out.expect (head.size (1, planned.page_bytes ()));
      out.write (head.bytes.data (), head.bytes.size (), 0);
      out.write (pixels, static_cast<size_t> (planned.page_bytes ()), head.first_pixel);
    }
    file.commit (planned.overwrite);
  }

  void finish () override {}

private:
  Planned planned;
  TiffHead head;
};

class Pages final : public Target
{
public:
  explicit Pages (const Planned &p) : planned (p), file (prepare (p)), out (file.path (), O_WRONLY, file.final_path ())
  {
    const auto head = tiff_head (p.pages (), p.lines (), p.columns (), p.element, p.provenance);
    first_pixel = head.first_pixel;
    out.expect (head.size (p.pages (), p.page_bytes ()));
    out.reserve ();
    out.write (head.bytes.data (), head.bytes.size (), 0);
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    out.write (pixels, static_cast<size_t> (lines.size () * planned.line_bytes ()),
               first_pixel + page * planned.page_bytes () + lines.begin * planned.line_bytes ());
  }

  void finish () override { file.commit (planned.overwrite); }

private:
  Planned planned;
  Temporary file;
  Descriptor out;
  int64_t first_pixel = 0;

  static std::string prepare (const Planned &planned)
  {
    make_folders (planned.pattern.name (0));
    return planned.pattern.name (0);
  }
};

} // namespace

std::unique_ptr<Target> tiff_sequence (const Planned &planned)
{
  return std::make_unique<Sequence> (planned);
}

std::unique_ptr<Target> tiff_pages (const Planned &planned)
{
  return std::make_unique<Pages> (planned);
}

} // namespace sino::files
