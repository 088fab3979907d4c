// SPDX-License-Identifier: LGPL-3.0-or-later
// Volumes of VGStudio: a head .vgi in sections of lines "key = value", and plain pixels in .vol beside it. The format
// has no public definition; these are the keys that files of scanners and of other programs have.
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "formats/page-files.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/units.hpp"
#include "tasks/files/volumes/headed-pixels.hpp"
#include <bit>
#include <fcntl.h>

namespace sino::files {

using namespace formats;

namespace {

constexpr char vgi_pixels_suffix[] = ".vol";
constexpr size_t longest_vgi_head = 1 << 20;

// --- to write ---

// VGStudio needs the line break at the end.
std::string vgi_head (const Planned &planned)
{
  const auto spacing = spacing_of (planned.format);
  const double mm = names_of (planned.unit).mm;
  const bool floats = planned.element == Element::f32;
  const auto size = text ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, planned.columns (),
                          planned.lines (), planned.pages ());
  const auto bits = std::to_string (8 * size_of (planned.element));
  const auto type = std::string (floats ? "float\ndatarange = -1 1" : "unsigned integer\ndatarange = 0 -1");
  auto head = "{volume1}\n[representation]\nsize = " + size + "\ndatatype = " + type + "\nbitsperelement = " + bits +
              "\n[file1]\nSkipHeader = 0\nFileFormat = raw\nSize = " + size +
              "\nName = " + file_name (beside_head (planned.pattern.name (0), vgi_pixels_suffix)) +
              "\nDatatype = " + type + "\nBitsPerElement = " + bits + "\n{volumeprimitive1}\n";
  if (spacing[2] > 0)
    head += "[geometry]\nresolution = " + shortest (spacing[2] * mm) + " " +
            shortest ((spacing[1] > 0 ? spacing[1] : spacing[2]) * mm) + " " +
            shortest ((spacing[0] > 0 ? spacing[0] : spacing[2]) * mm) + "\nunit = mm\n";
  head += "[volume]\nvolume = volume1\n";
  if (const auto stated = stated_values (planned); stated.any ())
    head += "[description]\ntext = " + stated_text (stated) + "\n";
  return head;
}

void check_vgi (const Planned &planned)
{
  if (std::endian::native == std::endian::big)
    fail (SINO_ERROR_BAD_PROPERTY, "VGStudio's volumes have another byte order than this computer: write NRRD");
  check_name_in_head (planned, "VGStudio");
}

std::unique_ptr<Target> make_vgi (const Planned &planned, const Frames::Watch &)
{
  return std::make_unique<HeadedPixels> (planned, vgi_pixels_suffix, vgi_head (planned));
}

const Registered<WritingFormat> vgi_written ({.name = "VGStudio",
                                              .suffixes = {".vgi"},
                                              .elements = {Element::u8, Element::u16, Element::f32},
                                              .sized = always_sized,
                                              .check = check_vgi,
                                              .resumes = [] (const Planned &) { return true; },
                                              .beside = [] (const std::string &path) -> std::vector<std::string> {
                                                return {beside_head (path, vgi_pixels_suffix)};
                                              },
                                              .open = make_vgi});

// --- to read ---

// Values by "[section] key", in small letters; of the first volume.
using VgiHead = std::map<std::string, std::string, std::less<>>;

VgiHead read_vgi_head (const std::string &path)
{
  const Descriptor file (path, O_RDONLY);
  std::string words (std::min (static_cast<size_t> (file.size ()), longest_vgi_head), '\0'), section;
  file.read (words.data (), words.size (), 0);
  VgiHead head;
  for (const auto &line : split (words, '\n')) {
    const auto word = trimmed (line);
    if (word.starts_with ('['))
      section = lower_case (word) + " ";
    else if (const auto equals = word.find ('='); equals != word.npos)
      head.emplace (section + lower_case (trimmed (word.substr (0, equals))), trimmed (word.substr (equals + 1)));
  }
  return head;
}

std::string vgi_value (const VgiHead &head, const char *key, const char *otherwise = "")
{
  const auto found = head.find (key);
  return found != head.end () ? found->second : otherwise;
}

PagesFound vgi_pages (const VgiHead &head, const std::string &title)
{
  std::vector<int64_t> sizes;
  each_word (vgi_value (head, "[file1] size"), " ", [&] (std::string_view word) {
    int64_t size = -1;
    sizes.push_back (parse_integer (word, size) ? size : -1);
  });
  if (sizes.size () != 3 || *std::ranges::min_element (sizes) < 1)
    fail (SINO_ERROR_BAD_FILE, "%s has Size = %s in [file1]: three sizes are needed", title.c_str (),
          shown (vgi_value (head, "[file1] size")).c_str ());
  if (const auto format = lower_case (vgi_value (head, "[file1] fileformat", "raw"));
      format != "raw" || head.contains ("[file2] size"))
    fail (SINO_ERROR_BAD_FILE, "%s has the file format %s, or several files: only raw works, in one file",
          title.c_str (), in_quotes (format).c_str ());
  const auto kind = lower_case (vgi_value (head, "[file1] datatype", "unsigned integer"));
  const auto name = (kind == "float"                                 ? "f"
                     : kind == "unsigned integer"                    ? "u"
                     : kind == "signed integer" || kind == "integer" ? "i"
                                                                     : "?") +
                    vgi_value (head, "[file1] bitsperelement", "16");
  const auto type = sample_named (name);
  if (!type)
    fail (SINO_ERROR_BAD_FILE, "%s contains values of type %s with %s bits: only plain numbers work", title.c_str (),
          in_quotes (kind).c_str (), shown (vgi_value (head, "[file1] bitsperelement")).c_str ());
  int64_t skipped = 0;
  if (!parse_integer (vgi_value (head, "[file1] skipheader", "0"), skipped) || skipped < 0)
    fail (SINO_ERROR_BAD_FILE, "%s has SkipHeader = %s: it must be a number of bytes", title.c_str (),
          shown (vgi_value (head, "[file1] skipheader")).c_str ());
  PagesFound found;
  found.samples = {*type, size_of (*type) > 1 && std::endian::native == std::endian::big};
  found.columns = sizes[0];
  found.lines = sizes[1];
  found.add_run (title, skipped, sizes[2]);
  return found;
}

// The name may have the folders of another computer; the pixels lie beside the head then.
std::string vgi_pixels (const VgiHead &head, const std::string &path)
{
  auto name = vgi_value (head, "[file1] name", file_name (beside_head (path, vgi_pixels_suffix)).c_str ());
  std::ranges::replace (name, '\\', '/');
  FileStamp stamp;
  const auto named = named_in_head (path, name);
  return find_stamp (named, stamp) ? named : named_in_head (path, file_name (name));
}

std::shared_ptr<const ImageFile> open_vgi (const ReadRequest &request, std::vector<std::string> &)
{
  const auto path =
      has_suffix (request.paths[0], {vgi_pixels_suffix}) ? beside_head (request.paths[0], ".vgi") : request.paths[0];
  const auto head = read_vgi_head (path);
  const auto found = vgi_pages (head, in_quotes (path));
  std::vector<double> sizes;
  each_word (vgi_value (head, "[geometry] resolution"), " ", [&] (std::string_view word) {
    double size = 0;
    sizes.push_back (parse_number (word, size) ? size : 0);
  });
  sizes.resize (3);
  const auto stated = stated_by (vgi_value (head, "[description] text"));
  return std::make_shared<const DescribedImages> (
      request.path,
      open_pages ({vgi_pixels (head, path)},
                  [found] (const Descriptor &, const std::string &) { return PagesFound (found); }),
      facts_of_slices (sizes[0], sizes[2], millimetres (vgi_value (head, "[geometry] unit", "mm")).value_or (0),
                       stated.scale),
      stated.unit);
}

const Registered<ReadingFormat>
    vgi ({.name = "VGStudio",
          .recognised = [] (const Descriptor &file) { return begins_with (file, "{volume"); },
          .suffixes = {".vgi", vgi_pixels_suffix},
          .open = open_vgi});

} // namespace
} // namespace sino::files
