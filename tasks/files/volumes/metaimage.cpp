// SPDX-License-Identifier: LGPL-3.0-or-later
// MetaImage as a format to read: a text header, and plain pixels behind it or in a file beside it.
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "formats/open.hpp"
#include "formats/page-files.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/volumes/headed-pixels.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <fcntl.h>
#include <map>

namespace sino::files {

using namespace formats;

namespace {

constexpr size_t longest_head = 65536; // provenance may be long
constexpr std::string_view last_key = "ElementDataFile";

struct MetaHead {
  std::map<std::string, std::string, std::less<>> values;
  int64_t end = 0; // bytes of the header

  std::string value (const char *key, const char *fallback = "") const
  {
    const auto found = values.find (key);
    return found != values.end () ? found->second : fallback;
  }
};

MetaHead read_meta_head (const Descriptor &file, const std::string &title)
{
  std::string words (std::min (static_cast<size_t> (file.size ()), longest_head), '\0');
  file.read (reinterpret_cast<std::byte *> (words.data ()), words.size (), 0);
  MetaHead head;
  for (size_t at = 0; at < words.size ();) {
    const auto end = std::min (words.find ('\n', at), words.size ());
    const auto line = std::string_view (words).substr (at, end - at);
    const auto equals = line.find ('=');
    if (equals == line.npos)
      break;
    const auto key = trimmed (line.substr (0, equals));
    head.values[key] = trimmed (line.substr (equals + 1));
    at = end + 1;
    if (key == last_key) {
      head.end = static_cast<int64_t> (std::min (at, words.size ()));
      return head;
    }
  }
  fail (SINO_ERROR_BAD_FILE, "%s is damaged: its header has no ElementDataFile within %zu bytes", title.c_str (),
        longest_head);
}

Sample type_in (const MetaHead &head, const std::string &title)
{
  static constexpr std::pair<std::string_view, Sample> types[] = {
      {"MET_UCHAR", Sample::u8}, {"MET_CHAR", Sample::i8}, {"MET_USHORT", Sample::u16}, {"MET_SHORT", Sample::i16},
      {"MET_UINT", Sample::u32}, {"MET_INT", Sample::i32}, {"MET_FLOAT", Sample::f32},  {"MET_DOUBLE", Sample::f64}};
  const auto name = head.value ("ElementType");
  for (const auto &[known, type] : types)
    if (name == known)
      return type;
  fail (SINO_ERROR_BAD_FILE, "%s contains values of type %s: only plain numbers work", title.c_str (),
        in_quotes (name).c_str ());
}

PagesFound pages_in (const MetaHead &head, const std::string &title)
{
  if (lower_case (head.value ("CompressedData", "False")) == "true")
    fail (SINO_ERROR_BAD_FILE, "%s is compressed: write it without compression", title.c_str ());
  if (lower_case (head.value ("BinaryData", "True")) != "true")
    fail (SINO_ERROR_BAD_FILE, "%s has its values as text: write it with BinaryData = True", title.c_str ());
  if (head.value ("ElementNumberOfChannels", "1") != "1")
    fail (SINO_ERROR_BAD_FILE, "%s has several values in a pixel: only images with one work", title.c_str ());
  std::vector<int64_t> sizes;
  each_word (head.value ("DimSize"), " \t", [&] (std::string_view word) {
    int64_t size = 0;
    sizes.push_back (parse_integer (word, size) ? size : -1);
  });
  if (sizes.size () < 2 || sizes.size () > 3 || *std::ranges::min_element (sizes) < 1)
    fail (SINO_ERROR_BAD_FILE, "%s has DimSize = %s: two or three sizes work", title.c_str (),
          shown (head.value ("DimSize")).c_str ());
  const bool big = lower_case (head.value ("ElementByteOrderMSB",
                                           head.value ("BinaryDataByteOrderMSB", "False").c_str ())) == "true";
  PagesFound found;
  const auto type = type_in (head, title);
  found.samples = {type, big != (std::endian::native == std::endian::big) && size_of (type) > 1};
  found.columns = sizes[0];
  found.lines = sizes[1];
  found.add_run (title, 0, sizes.size () > 2 ? sizes[2] : 1);
  return found;
}

// The bytes before the pixels in a file of their own; HeaderSize = -1 stands for all but the pixels.
int64_t skipped_bytes (const MetaHead &head, const std::string &pixels, const PagesFound &found,
                       const std::string &title)
{
  int64_t skipped = 0;
  const auto size = head.value ("HeaderSize", "0");
  if (!parse_integer (size, skipped) || skipped < -1)
    fail (SINO_ERROR_BAD_FILE, "%s has HeaderSize = %s: only a number of bytes works, or -1", title.c_str (),
          shown (size).c_str ());
  if (skipped >= 0)
    return skipped;
  const auto bytes = static_cast<double> (found.columns) * static_cast<double> (found.lines * found.runs[0].pages) *
                     static_cast<double> (size_of (found.samples.type));
  return static_cast<int64_t> (std::max (static_cast<double> (Descriptor (pixels, O_RDONLY).size ()) - bytes, 0.));
}

// Sizes and scale; those that are not there are unknown.
DescribedImages::Numbers facts_in (const MetaHead &head, const std::string &title)
{
  const auto words = head.value ("ElementSpacing", head.value ("ElementSize").c_str ());
  std::vector<double> sizes;
  each_word (words, " \t", [&] (std::string_view word) { sizes.push_back (number_or_nan (word)); });
  if (std::ranges::any_of (sizes, [] (double size) { return !std::isfinite (size); }))
    fail (SINO_ERROR_BAD_FILE, "%s has ElementSpacing = %s: it must be numbers, or left out", title.c_str (),
          shown (words).c_str ());
  if (sizes.size () != 3)
    sizes.assign (3, 0);
  const Scale scale{number_or_nan (head.value ("ElementToIntensityFunctionSlope", "1")),
                    number_or_nan (head.value ("ElementToIntensityFunctionOffset", "0"))};
  return facts_of_slices (sizes[0], sizes[2], 1, scale == Scale () ? std::nullopt : std::optional (scale));
}

// The pixels lie behind the header ("LOCAL"), or in a file whose name is relative to the header's folder. Its own
// header of HeaderSize bytes is left out.
std::shared_ptr<const ImageFile> open_metaimage (const ReadRequest &request, std::vector<std::string> &)
{
  const auto &path = request.paths[0];
  const auto title = in_quotes (path);
  const auto head = [&] {
    const Descriptor file (path, O_RDONLY);
    return read_meta_head (file, title);
  }();
  auto found = pages_in (head, title);
  const auto name = head.value (last_key.data ());
  const bool local = name == "LOCAL" || name == "Local" || name == "local";
  if (name == "LIST" || name.find ('%') != name.npos || name.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s lists a file for each image: read these files as a folder or a pattern",
          title.c_str ());
  const auto pixels = local ? path : named_in_head (path, name);
  found.runs[0].offset = local ? head.end : skipped_bytes (head, pixels, found, title);
  return std::make_shared<const DescribedImages> (
      request.path, open_pages ({pixels}, [found] (const Descriptor &, const std::string &) { return found; }),
      facts_in (head, title), head.value ("Units"));
}

bool is_metaimage (const Descriptor &file)
{
  return begins_with (file, "ObjectType = Image") || begins_with (file, "ObjectType=Image");
}

const Registered<ReadingFormat> metaimage_reader (
    {.name = "MetaImage", .recognised = is_metaimage, .suffixes = {".mhd", ".mha"}, .open = open_metaimage});

} // namespace
} // namespace sino::files
