// SPDX-License-Identifier: LGPL-3.0-or-later
// NRRD as a format to read (teem.sourceforge.net/nrrd/format.html): a head of lines, and plain pixels behind it or in a
// file beside it.
#include "base/error.hpp"
#include "base/shown.hpp"
#include "formats/page-files.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/units.hpp"
#include "tasks/files/volumes/headed-pixels.hpp"
#include <bit>
#include <cmath>
#include <fcntl.h>

namespace sino::files {

using namespace formats;

namespace {

constexpr size_t longest_nrrd_head = 1 << 20; // provenance may be long

struct NrrdHead {
  using Words = std::map<std::string, std::string, std::less<>>;
  Words values;    // of fields, whose names are in small letters without spaces
  Words keys;      // of keys
  int64_t end = 0; // bytes of the head

  std::string value (const char *name, const char *otherwise = "") const
  {
    const auto found = values.find (name);
    return found != values.end () ? found->second : otherwise;
  }
  std::string key (const char *name) const
  {
    const auto found = keys.find (name);
    return found != keys.end () ? found->second : "";
  }
  // The number of a key; NaN if it is none.
  double number (const char *name, double otherwise) const
  {
    return keys.contains (name) ? number_or_nan (key (name)) : otherwise;
  }
};

// Lines "field: value" or "key:=value" up to an empty one, or to the end of a file that has its pixels elsewhere.
NrrdHead read_nrrd_head (const Descriptor &file, const std::string &title)
{
  std::string words (std::min (static_cast<size_t> (file.size ()), longest_nrrd_head), '\0');
  file.read (words.data (), words.size (), 0);
  NrrdHead head;
  for (size_t at = 0; at < words.size ();) {
    const auto end = std::min (words.find ('\n', at), words.size ());
    auto line = words.substr (at, end - at);
    at = end + 1;
    if (line.ends_with ('\r'))
      line.pop_back ();
    head.end = static_cast<int64_t> (std::min (at, words.size ()));
    if (line.empty ())
      return head;
    const auto colon = line.find (':');
    if (line[0] == '#' || colon == line.npos || colon + 1 >= line.size ())
      continue;
    auto name = line.substr (0, colon);
    const bool key = line[colon + 1] == '='; // keys of programs are no fields of the format
    if (!key) {
      std::erase (name, ' ');
      name = lower_case (name);
    }
    (key ? head.keys : head.values)[name] = line.substr (colon + 2);
  }
  if (head.values.contains ("datafile"))
    return head;
  fail (SINO_ERROR_BAD_FILE, "%s is damaged: no empty line ends its header within %zu bytes", title.c_str (),
        longest_nrrd_head);
}

Sample nrrd_type (const NrrdHead &head, const std::string &title)
{
  static constexpr std::pair<std::string_view, Sample> types[] = {
      {"uchar", Sample::u8},         {"unsigned char", Sample::u8}, {"uint8", Sample::u8},
      {"uint8_t", Sample::u8},       {"signed char", Sample::i8},   {"int8", Sample::i8},
      {"int8_t", Sample::i8},        {"ushort", Sample::u16},       {"unsigned short", Sample::u16},
      {"uint16", Sample::u16},       {"uint16_t", Sample::u16},     {"unsigned short int", Sample::u16},
      {"short", Sample::i16},        {"short int", Sample::i16},    {"signed short", Sample::i16},
      {"int16", Sample::i16},        {"int16_t", Sample::i16},      {"uint", Sample::u32},
      {"unsigned int", Sample::u32}, {"uint32", Sample::u32},       {"uint32_t", Sample::u32},
      {"int", Sample::i32},          {"signed int", Sample::i32},   {"int32", Sample::i32},
      {"int32_t", Sample::i32},      {"float", Sample::f32},        {"double", Sample::f64}};
  const auto name = head.value ("type");
  for (const auto &[known, type] : types)
    if (name == known)
      return type;
  fail (SINO_ERROR_BAD_FILE, "%s contains values of type %s: only plain numbers of at most 32 bits, or floats, work",
        title.c_str (), in_quotes (name).c_str ());
}

PagesFound nrrd_pages (const NrrdHead &head, const std::string &title)
{
  if (const auto encoding = head.value ("encoding"); encoding != "raw")
    fail (SINO_ERROR_BAD_FILE, "%s has the encoding %s: write it with the encoding raw", title.c_str (),
          in_quotes (encoding).c_str ());
  std::vector<int64_t> sizes;
  each_word (head.value ("sizes"), " ", [&] (std::string_view word) {
    int64_t size = -1;
    sizes.push_back (parse_integer (word, size) ? size : -1);
  });
  if (sizes.size () < 2 || sizes.size () > 3 || *std::ranges::min_element (sizes) < 1)
    fail (SINO_ERROR_BAD_FILE, "%s has the sizes %s: two or three sizes work", title.c_str (),
          shown (head.value ("sizes")).c_str ());
  PagesFound found;
  const auto type = nrrd_type (head, title);
  const auto endian = lower_case (head.value ("endian"));
  if (size_of (type) > 1 && endian != "big" && endian != "little")
    fail (SINO_ERROR_BAD_FILE, "%s has the endian %s: values of several bytes need 'endian: little' or 'endian: big'",
          title.c_str (), in_quotes (endian).c_str ());
  const bool big = endian == "big";
  found.samples = {type, size_of (type) > 1 && big != (std::endian::native == std::endian::big)};
  found.columns = sizes[0];
  found.lines = sizes[1];
  found.add_run (title, 0, sizes.size () > 2 ? sizes[2] : 1);
  return found;
}

// Where the pixels begin in their file; byte skip: -1 stands for all but the pixels.
int64_t begin_of_pixels (const NrrdHead &head, int64_t behind, const std::string &pixels, const PagesFound &found,
                         const std::string &title)
{
  int64_t skipped = 0;
  const auto bytes = head.value ("byteskip", "0"), lines = head.value ("lineskip", "0");
  if (!parse_integer (bytes, skipped) || skipped < -1 || lines != "0")
    fail (SINO_ERROR_BAD_FILE,
          "%s has byte skip: %s and line skip: %s: only a number of bytes works, or -1, and no lines", title.c_str (),
          shown (bytes).c_str (), shown (lines).c_str ());
  if (skipped >= 0)
    return behind + skipped;
  const auto size = static_cast<double> (found.columns) * static_cast<double> (found.lines * found.runs[0].pages) *
                    static_cast<double> (size_of (found.samples.type));
  return static_cast<int64_t> (std::max (static_cast<double> (Descriptor (pixels, O_RDONLY).size ()) - size, 0.0));
}

// Lengths of the directions "(0.5,0,0) (0,0.5,0) none", or else the spacings; 0 for axes that have none.
std::vector<double> spacings_in (const NrrdHead &head)
{
  std::vector<double> lengths;
  each_word (head.value ("spacedirections"), " ", [&] (std::string_view word) {
    double square = 0;
    each_word (word, "(,)", [&] (std::string_view part) {
      double number = 0;
      square += parse_number (part, number) ? number * number : 0;
    });
    lengths.push_back (std::sqrt (square));
  });
  if (lengths.empty ())
    each_word (head.value ("spacings"), " ", [&] (std::string_view word) {
      double number = 0;
      lengths.push_back (parse_number (word, number) && std::isfinite (number) ? number : 0);
    });
  return lengths;
}

DescribedImages::Numbers nrrd_facts (const NrrdHead &head)
{
  const auto spacings = spacings_in (head);
  const auto units = head.value ("spaceunits", head.value ("units").c_str ());
  const auto first = units.find ('"'), last = first == units.npos ? units.npos : units.find ('"', first + 1);
  const auto mm = last == units.npos ? 0 : millimetres (units.substr (first + 1, last - first - 1)).value_or (0);
  const Scale scale{head.number ("scale_factor", 1), head.number ("add_offset", 0)};
  return facts_of_slices (spacings.empty () ? 0 : spacings[0], spacings.size () < 3 ? 0 : spacings[2], mm,
                          scale == Scale () ? std::nullopt : std::optional (scale));
}

std::shared_ptr<const ImageFile> open_nrrd (const ReadRequest &request, std::vector<std::string> &)
{
  const auto &path = request.paths[0];
  const auto title = in_quotes (path);
  const auto head = read_nrrd_head (Descriptor (path, O_RDONLY), title);
  auto found = nrrd_pages (head, title);
  const auto name = head.value ("datafile");
  if (name.starts_with ("LIST") || name.find ('%') != name.npos)
    fail (SINO_ERROR_BAD_FILE, "%s lists a file for each image: read these files as a folder or a pattern",
          title.c_str ());
  const auto pixels = name.empty () ? path : named_in_head (path, name);
  found.runs[0].offset = begin_of_pixels (head, name.empty () ? head.end : 0, pixels, found, title);
  return std::make_shared<const DescribedImages> (
      request.path, open_pages ({pixels}, [found] (const Descriptor &, const std::string &) { return found; }),
      nrrd_facts (head), head.key ("units"));
}

const Registered<ReadingFormat>
    nrrd ({.name = "NRRD",
           .recognised = [] (const Descriptor &file) { return begins_with (file, "NRRD000"); },
           .suffixes = {".nrrd", ".nhdr"},
           .open = open_nrrd});

} // namespace
} // namespace sino::files
