// SPDX-License-Identifier: LGPL-3.0-or-later
// Zarr, version 2, as a format to read: an array, or one of the resolutions of an OME-Zarr.
#include "base/error.hpp"
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include "base/shown.hpp"
#include "formats/formats.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/units.hpp"
#include "tasks/files/zarr/stack.hpp"
#include <bit>
#include <limits>

namespace sino::files {

using namespace formats;

namespace {

// Calls `body`, which reads values: another type than wanted is an error of the file.
template <class Body> auto reading_values (Body body)
{
  try {
    return body ();
  } catch (const Error &error) {
    throw Error (SINO_ERROR_BAD_FILE, error.what ());
  }
}

// Values of .zarray; errors name the file and the key.
class Description
{
public:
  explicit Description (const std::string &p) : path (p), words (read_json ("description", path)), document (scanned ())
  {
    for (auto &[name, value] : reading_values ([&] { return document.root (path).members (); }))
      members.insert ({name, value});
  }

  const JsonCursor &get (const char *name) const
  {
    const auto found = members.find (name);
    if (found == members.end ())
      fail (SINO_ERROR_BAD_FILE, "%s has no %s", in_quotes (path).c_str (), name);
    return found->second;
  }
  bool has (const char *name) const { return members.contains (name) && !get (name).is_null (); }
  std::vector<int64_t> sizes (const char *name) const
  {
    return reading_values ([&] {
      std::vector<int64_t> list;
      for (const auto &each : get (name).elements ())
        list.push_back (each.integer (largest_extent));
      return list;
    });
  }
  std::string word (const char *name) const
  {
    return reading_values ([&] { return get (name).string (); });
  }
  [[noreturn]] void refuse (const std::string &what) const
  {
    fail (SINO_ERROR_BAD_FILE, "%s has %s", in_quotes (path).c_str (), what.c_str ());
  }

private:
  const std::string path, words;
  const JsonDocument document;
  std::map<std::string, JsonCursor> members;

  JsonDocument scanned () const
  {
    try {
      scan_json (words);
      return JsonDocument (words);
    } catch (const Error &error) {
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s", in_quotes (path).c_str (), error.what ());
    }
  }
};

// "<f4", "|u1"
void set_type (const Description &description, ZarrArray &array)
{
  static constexpr std::pair<std::string_view, Element> types[] = {
      {"u1", Element::u8}, {"u2", Element::u16}, {"f2", Element::f16}, {"f4", Element::f32}};
  const auto word = description.word ("dtype");
  const auto known = std::ranges::find (types, std::string_view (word).substr (std::min<size_t> (1, word.size ())),
                                        &std::pair<std::string_view, Element>::first);
  if (known == std::end (types))
    description.refuse ("values of type " + in_quotes (word) + ": only u1, u2, f2 and f4 work");
  array.element = known->second;
  array.swapped = size_of (array.element) > 1 && (word[0] == '>') != (std::endian::native == std::endian::big);
}

// The value of missing chunks: a number, or one of the words that Zarr has for others.
double fill_of (const Description &description, Element element)
{
  if (!description.has ("fill_value"))
    return 0;
  static constexpr std::pair<std::string_view, double> words[] = {
      {"NaN", std::numeric_limits<double>::quiet_NaN ()},
      {"Infinity", std::numeric_limits<double>::infinity ()},
      {"-Infinity", -std::numeric_limits<double>::infinity ()}};
  const auto &value = description.get ("fill_value");
  const bool whole = element == Element::u8 || element == Element::u16;
  const double most = element == Element::u8 ? 255 : 65535;
  double number = 0;
  try {
    number = value.number ();
  } catch (const Error &) {
    const auto word = reading_values ([&] { return value.string (); });
    const auto known = std::ranges::find (words, word, &std::pair<std::string_view, double>::first);
    if (known == std::end (words) || whole)
      description.refuse ("a fill_value that is no number: " + in_quotes (word));
    number = known->second;
  }
  if (whole && !(number >= 0 && number <= most))
    description.refuse (text ("the fill_value %g, which its values cannot have", number));
  return number;
}

// The last three axes; others before them must have one element.
void set_sizes (const Description &description, const std::string &title, ZarrArray &array)
{
  auto extent = description.sizes ("shape"), chunk = description.sizes ("chunks");
  if (extent.size () != chunk.size () || extent.size () < 3 || std::ranges::find (chunk, 0) != chunk.end ())
    description.refuse (text ("%zu axes, and chunks with %zu: three are needed", extent.size (), chunk.size ()));
  for (; extent.size () > 3; extent.erase (extent.begin ()), chunk.erase (chunk.begin ())) {
    if (extent[0] != 1 || chunk[0] != 1)
      description.refuse ("more than three axes with several elements, such as channels or times");
    array.before += std::string ("0") + array.separator;
  }
  std::ranges::copy (extent, array.extent.begin ());
  std::ranges::copy (chunk, array.chunk.begin ());
  check_extents (title, array.element, extent[0], extent[1], extent[2]);
  check_extents (title, array.element, chunk[0], chunk[1], chunk[2]);
  if (static_cast<double> (chunk[0]) * static_cast<double> (chunk[1] * chunk[2]) > 0x1p30)
    description.refuse ("chunks of more than 2^30 values");
}

ZarrArray describe_array (const std::string &folder)
{
  const Description description (folder + "/.zarray");
  ZarrArray array{.folder = folder, .extent = {}, .chunk = {}, .before = {}};
  if (reading_values ([&] { return description.get ("zarr_format").integer (9); }) != 2)
    description.refuse ("another version of Zarr than 2");
  if (description.has ("filters") &&
      !(description.get ("filters").is_array () && description.get ("filters").elements ().empty ()))
    description.refuse ("filters, which are not known: write it without filters");
  if (description.word ("order") != "C")
    description.refuse ("chunks in Fortran's order: write them in C's order");
  array.packed = description.has ("compressor");
  if (array.packed)
    reading_values ([&] {
      for (const auto &[name, value] : description.get ("compressor").members ())
        if (name == "id" && value.string () != "blosc")
          description.refuse ("the compressor " + in_quotes (value.string ()) + ": only blosc works, or none");
    });
  if (description.has ("dimension_separator"))
    array.separator = description.word ("dimension_separator")[0];
  if (array.separator != '.' && array.separator != '/')
    description.refuse ("a dimension_separator that is neither '.' nor '/'");
  set_type (description, array);
  array.fill = fill_of (description, array.element);
  set_sizes (description, in_quotes (folder), array);
  return array;
}

// The facts of .zattrs beside the array (CF's names), and of an OME-Zarr's scale in the folder above it. Numbers that
// are not there, or of another type, are unknown.
class ZarrFacts
{
public:
  ZarrFacts (const std::string &folder, const std::string &dataset, const std::string &place)
  {
    FileStamp stamp;
    if (find_stamp (place + "/.zattrs", stamp))
      look ([&] { take_array (Description (place + "/.zattrs")); });
    if (!dataset.empty () && find_stamp (folder + "/.zattrs", stamp))
      look ([&] { take_sizes (Description (folder + "/.zattrs"), dataset); });
  }

  DescribedImages::Numbers numbers () const { return facts_of_slices (across, along, 1, scale); }
  std::string unit;

private:
  double across = 0, along = 0; // mm
  std::optional<Scale> scale;

  static void look (const auto &body)
  {
    try {
      body ();
    } catch (const std::exception &) { // of another program, with another meaning
    }
  }

  void take_array (const Description &attributes)
  {
    if (attributes.has ("units"))
      unit = attributes.get ("units").string ();
    if (attributes.has ("scale_factor"))
      scale = Scale{attributes.get ("scale_factor").number (),
                    attributes.has ("add_offset") ? attributes.get ("add_offset").number () : 0};
  }

  void take_sizes (const Description &attributes, const std::string &dataset)
  {
    const auto member = [] (const JsonCursor &of, const char *name) {
      for (auto &[key, value] : of.members ())
        if (key == name)
          return value;
      of.refuse (std::string ("has no ") + name);
    };
    const auto scales = attributes.get ("multiscales").elements ().at (0);
    const auto axes = member (scales, "axes").elements ();
    const auto mm = [&] (size_t from_last) {
      return millimetres (member (axes.at (axes.size () - from_last), "unit").string ()).value_or (0);
    };
    for (const auto &each : member (scales, "datasets").elements ()) {
      if (member (each, "path").string () != dataset)
        continue;
      const auto sizes = member (member (each, "coordinateTransformations").elements ().at (0), "scale").elements ();
      across = sizes.at (sizes.size () - 1).number () * mm (1);
      along = sizes.at (sizes.size () - 3).number () * mm (3);
    }
  }
};

// `dataset`: the path of an array in the folder; "": the folder itself if it is an array, else "0", which is the first
// resolution.
std::shared_ptr<const ImageFile> open_zarr (const ReadRequest &request, std::vector<std::string> &)
{
  const auto &folder = request.paths[0];
  auto dataset = request.dataset;
  while (dataset.starts_with ('/'))
    dataset.erase (0, 1);
  FileStamp stamp;
  if (dataset.empty () && !find_stamp (folder + "/.zarray", stamp))
    dataset = "0";
  const auto place = dataset.empty () ? folder : folder + "/" + dataset;
  if (!find_stamp (place + "/.zarray", stamp))
    fail (SINO_ERROR_BAD_FILE, "'%s' has no array of Zarr's version 2 at '%s': dataset= names one", folder.c_str (),
          dataset.c_str ());
  const ZarrFacts facts (folder, dataset, place);
  return std::make_shared<const DescribedImages> (request.path, zarr_stack (describe_array (place)), facts.numbers (),
                                                  facts.unit);
}

const Registered<ReadingFormat>
    zarr ({.name = "Zarr", .suffixes = {".zarr"}, .folders = true, .datasets = true, .open = open_zarr});

} // namespace
} // namespace sino::files
