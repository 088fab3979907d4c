// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/tiff-target.hpp"
#include "base/error.hpp"
#include "base/output-file.hpp"
#include "base/paths.hpp"
#include "base/temporary.hpp"
#include "formats/descriptor.hpp"
#include "formats/formats.hpp"
#include "formats/plain-file.hpp"
#include "tasks/files/tiff-head.hpp"
#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

// A TIFF for each page, named by the page's number in the scan; each is there when its page is complete.
class Sequence final : public Target
{
public:
  Sequence (const Planned &p, const std::string &description)
      : planned (p), folders (p.name (0)), head (1, p.lines (), p.columns (), p.element, description),
        tags (head.tags (0, 1))
  {
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    if (!(lines == Interval{0, planned.lines ()}))
      fail (SINO_ERROR_FAILED, "a page of a sequence of TIFFs came in parts");
    Temporary file (planned.name (page));
    {
      Descriptor out (file.path (), O_WRONLY, file.final_path ());
      out.expect (head.size ());
      out.write (tags.data (), tags.size (), 0);
      out.write (pixels, static_cast<size_t> (planned.page_bytes ()), head.first_pixel ());
    }
    file.commit (planned.overwrite, Temporary::Sync::later);
  }

  void finish () override
  {
    sync_folder (folder_of (planned.name (0)));
    folders.keep ();
  }

  void discard () override
  {
    for (int64_t page = 0; page < planned.pages (); page++)
      unlink (planned.name (page).c_str ());
  }

private:
  Planned planned;
  MadeFolders folders;
  TiffHead head;
  std::vector<std::byte> tags; // the same for all
};

// One TIFF with a page after the other; BigTIFF where 4 GiB do not suffice.
class Pages final : public PlainFile
{
public:
  Pages (const Planned &p, const std::string &description) : PlainFile (p)
  {
    const TiffHead head (p.pages (), p.lines (), p.columns (), p.element, description);
    first_pixel = head.first_pixel ();
    out.expect (head.size ());
    out.reserve ();
    constexpr int64_t at_once = 256;
    for (int64_t page = 0; page < p.pages (); page += at_once) {
      const auto tags = head.tags (page, std::min (page + at_once, p.pages ()));
      out.write (tags.data (), tags.size (), head.offset (page));
    }
  }
};

const Registered<WritingFormat> tiff ({.name = "TIFF",
                                       .suffixes = {".tif", ".tiff"},
                                       .files = WritingFormat::Files::either,
                                       .priority = 1,
                                       .open = [] (const Planned &planned, const Frames::Watch &) {
                                         return tiff_target (planned, planned.provenance);
                                       }});

} // namespace

std::unique_ptr<Target> tiff_target (const Planned &planned, const std::string &description)
{
  if (planned.pattern.numbered ())
    return std::make_unique<Sequence> (planned, description);
  return std::make_unique<Pages> (planned, description);
}

} // namespace sino::files
