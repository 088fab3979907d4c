// SPDX-License-Identifier: LGPL-3.0-or-later
// TIFF as a format to read: files as a stack, one page after the other.
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "formats/files-stack.hpp"
#include "formats/formats.hpp"
#include "formats/page-files.hpp"
#include "formats/raw.hpp"
#include "tasks/files/tiff/imagej.hpp"
#include "tasks/files/tiff/pages.hpp"
#include "tasks/files/tiff/tiff.hpp"
#include "tasks/files/units.hpp"
#include <atomic>

namespace sino::files {

using namespace formats;

namespace {

// Reads the tags of all pages and checks that they agree and lie in their files. Contiguous uncompressed pages are read
// by pread; all others by libtiff, strip by strip or tile by tile, several pages at once.
class TiffStack final : public FilesStack
{
public:
  TiffStack (const std::vector<std::string> &p, const TiffPages &found) : FilesStack (p)
  {
    decoding = found.decoding;
    list = found.pages;
    stamps = found.files;
    samples.type = found.sample;
    set_samples (*this, samples);
    pages = std::ssize (list);
    lines = found.lines;
    columns = found.columns;
    unit = found.unit;
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    std::atomic<int64_t> bytes = 0, units = 0;
    share_pages (*this, part, out, reading, [&] (const NextPage &next) {
      OpenTiff open (*this);
      while (const auto to_read = next ()) {
        const auto &page = list[static_cast<size_t> (to_read->number)];
        if (page.raw >= 0)
          bytes += read_raw (open.plain (page), {page.raw, columns, {samples.type, page.swapped}}, part.lines,
                             part.columns, to_read->out);
        else
          decode (open, page, part, to_read->out, units, bytes);
      }
      open.close ();
    });
    reading.count (units, bytes);
  }

  size_t scratch (int threads) const override
  {
    return static_cast<size_t> (threads) * std::max (decoding, raw_scratch (columns, samples) + 4096);
  }
  size_t resident () const override { return FilesStack::resident () + list.capacity () * sizeof (TiffPage); }

private:
  std::vector<TiffPage> list;
  Samples samples;     // description of values that libtiff has read: in the byte order of this machine
  size_t decoding = 0; // memory for one strip or tile

  // Also the structure of the file, for pages that libtiff decodes.
  class OpenTiff : public Open
  {
  public:
    explicit OpenTiff (const TiffStack &s) : Open (s), stack (s) {}

    std::vector<std::byte> buffer;

    const Descriptor &plain (const TiffPage &page)
    {
      if (!has (page.file))
        tiff.reset ();
      return file (page.file);
    }
    const Tiff &structured (const TiffPage &page)
    {
      const auto &path = stack.paths[page.file];
      const auto &file = plain (page);
      if (!tiff)
        tiff = std::make_unique<Tiff> (file, path);
      const bool found = TIFFSetSubDirectory (*tiff, page.directory);
      tiff->check ();
      if (!found)
        fail (SINO_ERROR_BAD_FILE, "cannot read page %d of '%s': %s", page.number, path.c_str (),
              tiff->message ().c_str ());
      return *tiff;
    }

  private:
    const TiffStack &stack;
    std::unique_ptr<Tiff> tiff;
  };

  // Decodes the strips or tiles of a page that contain wanted pixels.
  void decode (OpenTiff &open, const TiffPage &page, const Part &part, std::byte *out, std::atomic<int64_t> &units,
               std::atomic<int64_t> &bytes) const
  {
    const auto &tiff = open.structured (page);
    const bool tiled = TIFFIsTiled (tiff);
    const auto high = static_cast<int64_t> (
        tiled ? tiff.tag<uint32_t> (TIFFTAG_TILELENGTH, 1)
              : std::min<uint32_t> (tiff.tag<uint32_t> (TIFFTAG_ROWSPERSTRIP, 1), static_cast<uint32_t> (lines)));
    const auto wide = tiled ? static_cast<int64_t> (tiff.tag<uint32_t> (TIFFTAG_TILEWIDTH, 1)) : columns;
    const auto room = tiled ? TIFFTileSize (tiff) : TIFFStripSize (tiff);
    open.buffer.resize (static_cast<size_t> (room));
    for (size_t i = 0, next_line; i < part.lines.size (); i = next_line) {
      next_line = end_of_unit (part.lines, i, high);
      for (size_t j = 0, next_column; j < part.columns.size (); j = next_column) {
        next_column = end_of_unit (part.columns, j, wide);
        const auto number =
            static_cast<uint32_t> (part.lines[i] / high * divide_up (columns, wide) + part.columns[j] / wide);
        const auto got = tiled ? TIFFReadEncodedTile (tiff, number, open.buffer.data (), room)
                               : TIFFReadEncodedStrip (tiff, number, open.buffer.data (), room);
        const auto needed = ((part.lines[next_line - 1] % high) * wide + part.columns[next_column - 1] % wide + 1) *
                            static_cast<int64_t> (stored_pixel);
        tiff.check ();
        if (got < needed)
          fail (SINO_ERROR_BAD_FILE, "page %d of '%s' is truncated or damaged: %s", page.number,
                paths[page.file].c_str (), tiff.message ().c_str ());
        units++;
        bytes += static_cast<int64_t> (TIFFGetStrileByteCount (tiff, number));
        for (auto l = i; l < next_line; l++)
          samples.take (open.buffer.data () + static_cast<size_t> (part.lines[l] % high * wide) * stored_pixel,
                        part.columns[j] / wide * wide, part.columns.subspan (j, next_column - j),
                        out + (l * part.columns.size () + j) * pixel (*this));
      }
    }
  }
};

// --- the description, by "The OME Data Model" (openmicroscopy.org/Schemas/OME/2016-06) ---

// Attributes of the first image; other images of a file have the same.
struct Pixels {
  bool ome = false, found = false;
  std::string size, unit = "\u00b5m", depth, depth_unit = "\u00b5m"; // default of the schema
};

// A name without its namespace prefix.
std::string_view local (std::string_view name)
{
  return name.substr (name.rfind (':') + 1);
}

void begin_element (GMarkupParseContext *, const char *element, const char **names, const char **values, void *to,
                    GError **)
{
  auto &pixels = *static_cast<Pixels *> (to);
  pixels.ome = pixels.ome || local (element) == "OME";
  if (!pixels.ome || pixels.found || local (element) != "Pixels")
    return;
  pixels.found = true;
  for (; *names; names++, values++) {
    if (std::string_view (*names) == "PhysicalSizeX")
      pixels.size = *values;
    if (std::string_view (*names) == "PhysicalSizeXUnit")
      pixels.unit = *values;
    if (std::string_view (*names) == "PhysicalSizeZ")
      pixels.depth = *values;
    if (std::string_view (*names) == "PhysicalSizeZUnit")
      pixels.depth_unit = *values;
  }
}

// Distances in mm; none if the description is no OME-XML, or does not give them.
struct OmeSizes {
  std::optional<double> columns, slices;
};

// The distance of columns must be right if it is given. `messages` gets errors
// in it; `title`: the file, for messages.
OmeSizes ome_sizes (const std::string &description, const std::string &title, std::vector<std::string> &messages)
{
  if (description.find ("OME") == description.npos || description.find ('<') == description.npos)
    return {};
  Pixels pixels;
  constexpr GMarkupParser parser{begin_element, nullptr, nullptr, nullptr, nullptr};
  const std::unique_ptr<GMarkupParseContext, Deleter<g_markup_parse_context_free>> context (
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &pixels, nullptr));
  GError *error = nullptr;
  const bool parsed = g_markup_parse_context_parse (context.get (), description.data (),
                                                    static_cast<gssize> (description.size ()), &error) &&
                      g_markup_parse_context_end_parse (context.get (), &error);
  const ErrorPtr why (error);
  const auto unknown = [&] (const std::string &what) {
    messages.push_back (title + ": " + what + "; its pixel size is ignored: set pixel-size=");
    return OmeSizes ();
  };
  if (!pixels.ome || (parsed && pixels.size.empty ()))
    return {};
  if (pixels.size.empty ())
    return unknown (std::string ("its OME-XML is damaged (") + why->message + ")");
  double size = 0;
  const auto unit = millimetres (pixels.unit);
  if (!unit)
    return unknown ("the unit of PhysicalSizeX is " + quoted (pixels.unit));
  if (!parse_number (pixels.size, size) || !(size * *unit >= 1e-30 && size * *unit <= 1e30))
    return unknown ("PhysicalSizeX is " + quoted (pixels.size));
  OmeSizes found{size * *unit, {}};
  double depth = 0;
  if (const auto mm = millimetres (pixels.depth_unit); mm && parse_number (pixels.depth, depth) && depth > 0)
    found.slices = depth * *mm;
  return found;
}

// What the values stand for, by ImageJ's description or by a text in OME-XML that `write` makes.
Stated stated_in (const TiffPages &found)
{
  const auto facts = imagej_facts (found.description);
  return facts ? facts->stated : stated_by (found.description);
}

DescribedImages::Numbers facts_of (const TiffPages &found)
{
  const auto facts = imagej_facts (found.description).value_or (ImageJFacts ());
  return facts_of_slices (found.columns_apart, facts.distance, facts.mm, stated_in (found).scale);
}

// The images with the data in their description.
class TiffImages final : public DescribedImages
{
public:
  TiffImages (const ReadRequest &request, const TiffPages &found, std::vector<std::string> &messages)
      : DescribedImages (request.path, std::make_shared<TiffStack> (request.paths, found), facts_of (found),
                         stated_in (found).unit),
        sizes (ome_sizes (found.description, title (), messages))
  {
  }

  std::optional<double> number_attribute (const std::string &name, const char *attribute) const override
  {
    const std::string_view asked = attribute;
    if (name.empty () && (asked == "pixel_size" || (asked == "voxel_size" && sizes.columns)))
      return sizes.columns;
    if (name.empty () && asked == "slice_distance" && sizes.columns)
      return sizes.slices;
    return DescribedImages::number_attribute (name, attribute);
  }

private:
  OmeSizes sizes;
};

// Whether the file is a classic TIFF or BigTIFF, in either byte order.
bool is_tiff (const Descriptor &file)
{
  using namespace std::string_view_literals;
  const auto heads = {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
  return std::ranges::any_of (heads, [&file] (auto head) { return begins_with (file, head); });
}

// Before HDF5, because HDF5 files may begin with anything.
const Registered<ReadingFormat>
    tiff ({.name = "TIFF",
           .recognised = is_tiff,
           .suffixes = {".tif", ".tiff"},
           .sequences = true,
           .priority = 1,
           .open = [] (const ReadRequest &request, auto &messages) -> std::shared_ptr<const ImageFile> {
             return std::make_shared<TiffImages> (request, find_pages (request.paths), messages);
           }});

} // namespace

} // namespace sino::files
