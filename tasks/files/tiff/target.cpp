// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/tiff/target.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include "base/files/temporary.hpp"
#include "formats/checksums.hpp"
#include "formats/descriptor.hpp"
#include "formats/formats.hpp"
#include "formats/plain-file.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/tiff/head.hpp"
#include "tasks/files/tiff/imagej.hpp"
#include <algorithm>
#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

std::array<double, 2> spacing_in_cm (const Planned &planned)
{
  const auto spacing = spacing_of (planned.format);
  const auto cm = names_of (planned.unit).mm / 10;
  return {spacing[1] * cm, spacing[2] * cm};
}

// One TIFF file per page, named by the page's number in the scan; it gets its final name when the page is complete.
class Sequence final : public Target
{
public:
  Sequence (const Planned &p, const std::string &description)
      : planned (p), folders (p.name (0)),
        head (1, p.lines (), p.columns (), p.element, description, spacing_in_cm (p)), tags (head.tags (0, 1)),
        complete (static_cast<size_t> (p.pages ()))
  {
    if (planned.resumed && !planned.joined && !planned.overwrite)
      check_others ();
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    const bool whole = lines == Interval{0, planned.lines ()};
    const auto image = whole && !is_complete (page) ? std::make_shared<Image> (*this, page) : begun (page);
    if (!image)
      return;
    image->out.write (pixels, static_cast<size_t> (lines.size () * planned.line_bytes ()),
                      head.first_pixel () + lines.begin * planned.line_bytes ());
    if (whole || completed (page, *image, lines))
      commit (page, *image);
  }

  void sync () override
  {
    sync_folder (folder_of (planned.name (0)));
    folders.sync ();
  }

  void outlive () override { folders.keep (); }

  void finish () override
  {
    sync_folder (folder_of (planned.name (0)));
    folders.keep ();
  }

  void discard () override
  {
    for (int64_t page = 0; page < planned.pages (); page++)
      unlink (planned.name (page).c_str ());
    folders.drop ();
  }

private:
  // An incomplete file.
  struct Image {
    Temporary file;
    Descriptor out;
    std::vector<Interval> there; // written lines

    Image (const Sequence &all, int64_t page)
        : file (all.planned.name (page)), out (file.path (), O_WRONLY, file.final_path ())
    {
      out.expect (all.head.size ());
      out.write (all.tags.data (), all.tags.size (), 0);
    }
  };

  Planned planned;
  MadeFolders folders;
  TiffHead head;
  std::vector<std::byte> tags;                      // tags of a file, the same for all files
  std::mutex mutex;                                 // protects the members below
  std::map<int64_t, std::shared_ptr<Image>> images; // files with some lines written
  std::vector<bool> complete; // pages; data that comes again after a device failure is the same and ignored

  // Files that the resumed run has not recorded also belong to it if they have the same header.
  void check_others () const
  {
    int64_t next = 0;
    const auto check = [&] (int64_t end) {
      for (; next < end; next++)
        check_own (planned.name (next));
    };
    for (const auto some : planned.finished) {
      check (some.begin);
      next = some.end;
    }
    check (planned.pages ());
  }

  void check_own (const std::string &path) const
  {
    if (access (path.c_str (), F_OK) != 0)
      return;
    const Descriptor file (path, O_RDONLY);
    std::vector<std::byte> begin (std::min (tags.size (), static_cast<size_t> (file.size ())));
    file.read (begin.data (), begin.size (), 0);
    if (!std::ranges::equal (begin, std::span (tags).first (begin.size ())))
      fail (SINO_ERROR_EXISTS, "'%s' does not belong to the run that is continued: move it away", path.c_str ());
  }

  bool is_complete (int64_t page)
  {
    const std::lock_guard guard (mutex);
    return complete[static_cast<size_t> (page)];
  }

  // The file of a page; null if it is complete.
  std::shared_ptr<Image> begun (int64_t page)
  {
    const std::lock_guard guard (mutex);
    if (complete[static_cast<size_t> (page)])
      return nullptr;
    auto &image = images[page];
    if (!image)
      image = std::make_shared<Image> (*this, page);
    return image;
  }

  // Whether the page is complete with these lines.
  bool completed (int64_t page, Image &image, Interval lines)
  {
    const std::lock_guard guard (mutex);
    add_interval (image.there, lines);
    return image.there.front () == Interval{0, planned.lines ()} && images.erase (page) > 0;
  }

  void commit (int64_t page, Image &image)
  {
    {
      const std::lock_guard guard (mutex);
      if (complete[static_cast<size_t> (page)])
        return;
      complete[static_cast<size_t> (page)] = true;
    }
    image.out.check_length ();
    image.file.commit (planned.overwrite || planned.resumed, Temporary::Sync::later);
  }
};

// One TIFF file with all pages; BigTIFF if 4 GiB do not suffice.
class Pages final : public PlainFile
{
public:
  Pages (const Planned &p, const std::string &description) : PlainFile (p)
  {
    const TiffHead head (p.pages (), p.lines (), p.columns (), p.element, description, spacing_in_cm (p));
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

const Registered<WritingFormat>
    tiff_written ({.name = "TIFF",
                   .suffixes = {".tif", ".tiff"},
                   .files = WritingFormat::Files::either,
                   .sized = always_sized,
                   .resumes = [] (const Planned &p) { return p.pattern.numbered (); },
                   .parts = true,
                   .priority = 1,
                   .open = [] (const Planned &planned,
                               const Frames::Watch &) { return tiff_target (planned, imagej_description (planned)); }});

} // namespace

std::unique_ptr<Target> tiff_target (const Planned &planned, const std::string &description)
{
  if (planned.pattern.numbered ())
    return std::make_unique<Sequence> (planned, description);
  return std::make_unique<Pages> (planned, description);
}

} // namespace sino::files
