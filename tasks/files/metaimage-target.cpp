// SPDX-License-Identifier: LGPL-3.0-or-later
// MetaImage, as read by ITK and related programs: a text header beside a file of plain pixels.
#include "base/error.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "formats/formats.hpp"
#include "formats/name-groups.hpp"
#include "formats/page-files.hpp"
#include "formats/plain-file.hpp"
#include "tasks/files/sizes.hpp"
#include <bit>
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

std::string pixels_path (const std::string &head)
{
  return head.substr (0, head.size () - 4) + ".raw";
}

std::string head_of (const Planned &planned)
{
  constexpr const char *types[] = {"MET_UCHAR", "MET_USHORT", "", "MET_FLOAT"};
  const auto spacing = spacing_of (planned.format);
  const double mm = names_of (planned.unit).mm;
  const auto size = [&] (size_t i) { return spacing[i] > 0 ? shortest (spacing[i] * mm) : std::string ("1"); };
  auto head = text ("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
                    "ElementByteOrderMSB = %s\nCompressedData = False\nDimSize = %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                    " %" G_GINT64_FORMAT "\n",
                    std::endian::native == std::endian::big ? "True" : "False",
                    std::endian::native == std::endian::big ? "True" : "False", planned.columns (), planned.lines (),
                    planned.pages ());
  if (spacing[2] > 0)
    head += "ElementSpacing = " + size (2) + " " + size (1) + " " + size (0) + "\n";
  auto comment = planned.provenance;
  std::ranges::replace (comment, '\n', ' '); // the value of a key must be one line
  head += "Comment = " + comment + "\n";
  head += std::string ("ElementType = ") + types[static_cast<size_t> (planned.element)] + "\n";
  return head + "ElementDataFile = " + file_name (pixels_path (planned.pattern.name (0))) +
         "\n"; // must be the last key of the header
}

// Plan for the file of pixels, which PlainFile writes; its name is derived from that of the header.
Planned pixels_of (Planned planned)
{
  planned.pattern = Pattern (escaped_pattern (pixels_path (planned.pattern.name (0))));
  return planned;
}

class MetaImage final : public PlainFile
{
public:
  explicit MetaImage (const Planned &p) : PlainFile (pixels_of (p)), words (head_of (p))
  {
    if (p.joined)
      return;
    head.emplace (p.pattern.name (0));
    if (!p.unfinished) {
      out.expect (p.pages () * p.page_bytes ());
      out.reserve ();
    }
    Descriptor text (head->path (), O_WRONLY, head->final_path ());
    text.expect (std::ssize (words));
    text.write (words.data (), words.size (), 0);
  }

  // A header must never describe pixels that are not there, so an old header is removed before its pixels are replaced.
  void finish () override
  {
    out.check_length ();
    const bool replaces = planned.overwrite || has_its_name ();
    if (replaces) {
      out.sync ();
      unlink (head->final_path ().c_str ());
    }
    file.commit (replaces, Temporary::Sync::later);
    const auto folder = folder_of (file.final_path ());
    try {
      sync_folder (folder);
      head->commit (replaces, Temporary::Sync::later);
    } catch (...) { // without a header, the pixels could not be read
      if (!outlives)
        unlink (file.final_path ().c_str ());
      throw;
    }
    sync_folder (folder);
    folders.keep ();
  }

private:
  std::optional<Temporary> head; // none if another process writes it
  std::string words;
};

// Opens the pixels beside the header.
std::shared_ptr<const Stack> written_metaimage (const std::string &path, Element element,
                                                const std::array<int64_t, 3> &extent)
{
  const Descriptor head (path, O_RDONLY);
  return open_pages ({pixels_path (path)}, [element, extent] (const Descriptor &, const std::string &title) {
    PagesFound found{.samples = {.type = sample_of (element)}, .lines = extent[1], .columns = extent[2], .runs = {}};
    found.add_run (title, 0, extent[0]);
    return found;
  });
}

const Registered<WritingFormat> metaimage (
    {.name = "MetaImage",
     .suffixes = {".mhd"},
     .elements = {Element::u8, Element::u16, Element::f32},
     .sized = always_sized,
     .resumes = [] (const Planned &) { return true; },
     .beside = [] (const std::string &path) -> std::vector<std::string> { return {pixels_path (path)}; },
     .open = [] (const Planned &planned, const Frames::Watch &) -> std::unique_ptr<Target> {
       if (const auto name = file_name (planned.pattern.name (0)); name.find ('\n') != name.npos)
         fail (SINO_ERROR_BAD_PROPERTY,
               "path='%s': a MetaImage header contains the name in one line, so that the name cannot have line breaks",
               shown (name).c_str ());
       return std::make_unique<MetaImage> (planned);
     },
     .written = written_metaimage});

} // namespace
} // namespace sino::files
