// SPDX-License-Identifier: LGPL-3.0-or-later
// Zeiss (Xradia) .txrm, .xrm and .txm: compound files with one stream per image, and other streams for its metadata.
// The format is not published; names and types are those used by DXchange (github.com/data-exchange/dxchange) and CIL
// (github.com/TomographicImaging/CIL); what they mean: docs/guide/scanners.md.
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/formats.hpp"
#include "formats/page-files.hpp"
#include "formats/stated-scan.hpp"
#include "tasks/files/ole.hpp"
#include <array>
#include <atomic>
#include <cmath>
#include <fcntl.h>

namespace sino::files {

namespace {

constexpr bool swapped = std::endian::native == std::endian::big;

// Pages of plain values in parts of streams.
class StreamStack final : public Stack
{
public:
  StreamStack (std::string path, const FileStamp &s, Samples of, int64_t line_count, int64_t column_count)
      : stamp (s), samples (of)
  {
    name = std::move (path);
    set_samples (*this, samples);
    lines = line_count;
    columns = column_count;
  }

  void add (const std::vector<Extent> &places)
  {
    pages++;
    extents.insert (extents.end (), places.begin (), places.end ());
    ends.push_back (extents.size ());
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    std::atomic<int64_t> bytes = 0;
    share_pages (*this, part, out, reading, [&] (const NextPage &next) {
      const Descriptor file (name, O_RDONLY);
      file.require (stamp);
      while (const auto page = next ()) {
        const auto places = places_of (static_cast<size_t> (page->number));
        const auto read_at = [&] (void *to, size_t n, int64_t offset) { read_places (file, places, to, n, offset); };
        bytes += read_raw (read_at, {0, columns, samples}, part.lines, part.columns, page->out);
      }
      file.require (stamp);
    });
    reading.count (0, bytes);
  }

  std::vector<FileStamp> files () const override { return {stamp}; }
  size_t scratch (int threads) const override
  {
    return static_cast<size_t> (threads) * (raw_scratch (columns, samples) + 4096);
  }
  size_t resident () const override
  {
    return extents.capacity () * sizeof (Extent) + ends.capacity () * sizeof (size_t) + sizeof *this;
  }

private:
  FileStamp stamp;
  Samples samples;
  std::vector<Extent> extents; // extents of all pages, one page after the other
  std::vector<size_t> ends;    // end of each page's extents

  std::span<const Extent> places_of (size_t page) const
  {
    const auto begin = page == 0 ? 0 : ends[page - 1];
    return std::span (extents).subspan (begin, ends[page] - begin);
  }
};

// Data of a file about its images.
class ZeissScan
{
public:
  explicit ZeissScan (const std::string &p)
      : path (p), title (in_quotes (p)), file (p, O_RDONLY), stamp (file.stamp ()), ole (file, title)
  {
    if (!ole.size ("ImageInfo/ImageWidth"))
      fail (
          SINO_ERROR_BAD_FILE,
          "%s is an OLE2 file without ImageInfo, so it is not a .txrm or .xrm file of Zeiss: export its images as TIFF",
          title.c_str ());
    columns = whole ("ImageInfo/ImageWidth");
    lines = whole ("ImageInfo/ImageHeight");
    images = whole ("ImageInfo/NoOfImages");
    samples = type ("ImageInfo/DataType");
    if (columns < 1 || lines < 1 || images < 1)
      fail (SINO_ERROR_BAD_FILE,
            "%s is damaged: ImageInfo describes %" G_GINT64_FORMAT " images of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
            " pixels",
            title.c_str (), images, columns, lines);
    check_extents (title, samples.element (), images, lines, columns);
  }

  // All images, or the images taken so far if the scan was ended early.
  std::shared_ptr<const Stack> stack (std::vector<std::string> &messages)
  {
    while (images > 0 && !ole.size (image (images)))
      images--;
    if (images == 0)
      fail (SINO_ERROR_BAD_FILE, "%s has no %s: it contains no image", title.c_str (), image (1).c_str ());
    if (const auto planned = whole ("ImageInfo/NoOfImages"); images < planned)
      messages.push_back (text ("%s should have %" G_GINT64_FORMAT " images, but has %" G_GINT64_FORMAT
                                ", which are used",
                                title.c_str (), planned, images));
    if (images > file.size () / page_bytes (samples)) // limits the memory for positions of images
      fail (SINO_ERROR_BAD_FILE,
            "%s is truncated: its %" G_GINT64_FORMAT " images have %" G_GINT64_FORMAT
            " bytes each, and the file has %" G_GINT64_FORMAT,
            title.c_str (), images, page_bytes (samples), file.size ());
    auto made = std::make_shared<StreamStack> (path, stamp, samples, lines, columns);
    for (int64_t i = 1; i <= images; i++) {
      step_unless_cancelled ();
      made->add (ole.places (image (i), page_bytes (samples)));
    }
    return made;
  }

  // The reference image, or the references of a scan with several; null if there is none with the right size.
  std::shared_ptr<const Stack> references (std::vector<std::string> &messages)
  {
    const std::string several = "MultiReferenceData/";
    if (ole.size ("ReferenceData/Image"))
      return references ({"ReferenceData/Image"}, "ReferenceData/DataType", messages);
    std::vector<std::string> names;
    while (std::ssize (names) < most_references && ole.size (several + text ("Image%zu", names.size () + 1)))
      names.push_back (several + text ("Image%zu", names.size () + 1));
    return names.empty () ? nullptr : references (names, several + "DataType", messages);
  }

  // At most `most` values of a list; empty if there is no such list.
  std::vector<double> floats (const char *name, int64_t most)
  {
    const auto n = std::min (ole.size (name).value_or (0) / 4, most);
    std::vector<double> list;
    if (n == 0)
      return list;
    const auto bytes = ole.read (name, 4 * n);
    for (size_t i = 0; i < static_cast<size_t> (n); i++)
      list.push_back (number_at<float> (bytes.data (), 4 * i, swapped));
    return list;
  }

  std::optional<int64_t> find_whole (const char *name)
  {
    return ole.size (name).value_or (0) < 4 ? std::nullopt : std::optional (whole (name));
  }

  // The first value of a list, if it is a plausible length.
  double length (const char *name)
  {
    const auto list = floats (name, 1);
    const double value = list.empty () ? 0 : std::abs (list[0]);
    return value >= 1e-9 && value <= 1e9 ? value : 0;
  }

private:
  static constexpr int64_t most_references = 4096;

  const std::string path, title;
  const Descriptor file;
  const FileStamp stamp;
  OleFile ole;
  int64_t lines, columns, images;
  Samples samples;

  int64_t whole (const char *name) { return number_at<int32_t> (ole.read (name, 4).data (), 0, swapped); }

  Samples type (const char *name)
  {
    const auto number = whole (name);
    if (number != 5 && number != 10)
      fail (SINO_ERROR_BAD_FILE,
            "%s contains values of the type %" G_GINT64_FORMAT
            " (%s): only 5 (u16) and 10 (f32) work; export it as TIFF",
            title.c_str (), number, name);
    return {number == 5 ? Sample::u16 : Sample::f32, swapped};
  }

  std::shared_ptr<const Stack> references (const std::vector<std::string> &names, const std::string &data_type,
                                           std::vector<std::string> &messages)
  {
    const auto of = ole.size (data_type) ? type (data_type.c_str ()) : samples;
    auto made = std::make_shared<StreamStack> (path, stamp, of, lines, columns);
    for (const auto &name : names) {
      const auto size = ole.size (name).value_or (0);
      if (size < page_bytes (of)) {
        messages.push_back (text ("%s: its reference has %" G_GINT64_FORMAT " bytes, but an image has %" G_GINT64_FORMAT
                                  ": the reference is not used, set flats= to one that fits",
                                  title.c_str (), size, page_bytes (of)));
        return nullptr;
      }
      made->add (ole.places (name, page_bytes (of)));
    }
    return made;
  }

  int64_t page_bytes (const Samples &of) const { return lines * columns * static_cast<int64_t> (size_of (of.type)); }

  // Each folder has a hundred images.
  static std::string image (int64_t number)
  {
    return text ("ImageData%" G_GINT64_FORMAT "/Image%" G_GINT64_FORMAT, (number + 99) / 100, number);
  }
};

// The shift of each image in pixels, as the file wants the images to be moved; empty if there is none.
std::vector<double> shifts_in (ZeissScan &scan, const char *name, int64_t images, const std::string &title,
                               std::vector<std::string> &messages)
{
  auto list = scan.floats (name, images);
  const bool bad = std::ranges::any_of (list, [] (double shift) { return !(std::abs (shift) <= 1e6); });
  if (bad || (!list.empty () && std::ssize (list) != images)) {
    messages.push_back (text ("%s: %s has %s, and is not used", title.c_str (), name,
                              bad ? "values that are no numbers of pixels" : "not a value for each image"));
    return {};
  }
  for (auto &shift : list)
    shift = -shift;
  return std::ranges::any_of (list, [] (double shift) { return shift != 0; }) ? list : std::vector<double> ();
}

// Whether the file is of a cone beam. Where it does not say so, as at synchrotrons, a distance shows it.
bool has_cone (ZeissScan &scan)
{
  if (const auto geometry = scan.find_whole ("ImageInfo/XrayGeometry"))
    return *geometry == 1;
  return std::ranges::any_of (std::array{"ImageInfo/StoRADistance", "ImageInfo/DtoRADistance"}, [&] (const char *name) {
    const auto list = scan.floats (name, 1);
    return !list.empty () && list[0] != 0;
  });
}

// Sets what the file has of the distances of a cone beam. `size`: of a pixel at the axis, in mm; 0: unknown.
void state_cone (ZeissScan &scan, double size, int64_t columns, const std::string &title, StatedScan &stated)
{
  const auto source = scan.length ("ImageInfo/StoRADistance"), detector = scan.length ("ImageInfo/DtoRADistance");
  // A beam that spreads by less than a tenth of a column over the field of view counts as parallel.
  const double half = 0.5 * static_cast<double> (columns) * size;
  if (!has_cone (scan) || (size > 0 && source > 0 && half * half / source < 0.1 * size))
    return;
  stated.source_origin = source;
  stated.origin_detector = detector;
  std::vector<std::string> streams, properties;
  const auto lack = [&] (double length, const char *stream, const char *property) {
    if (length == 0) {
      streams.emplace_back (stream);
      properties.emplace_back (property);
    }
  };
  lack (source, "ImageInfo/StoRADistance", "source-origin=");
  lack (detector, "ImageInfo/DtoRADistance", "origin-detector=");
  lack (size, "ImageInfo/PixelSize", "pixel-size=");
  if (streams.empty ()) {
    stated.pixel_size = size * (source + detector) / source;
    return;
  }
  stated.pixel_size.reset (); // that on the detector follows from all three
  if (size > 0)
    properties.emplace_back ("pixel-size=");
  stated.lacks = text ("%s is a scan with a cone beam, and has no length in %s: set %s, or geometry=", title.c_str (),
                       join (streams, ", ", std::identity (), " and ").c_str (),
                       join (properties, ", ", std::identity (), " and ").c_str ());
}

// As in CIL, geometry 1 is a cone beam and mode 0 means projections; lengths of volumes have another unit.
StatedScan stated_in (ZeissScan &scan, const Stack &stack, const std::string &path, std::vector<std::string> &messages)
{
  StatedScan stated;
  const auto title = in_quotes (path);
  stated.angles = scan.floats ("ImageInfo/Angles", stack.pages);
  const auto size = 1e-3 * scan.length ("ImageInfo/PixelSize"); // micrometres at the axis
  if (size > 0)
    stated.pixel_size = size;
  if (const auto mode = scan.find_whole ("ImageInfo/AcquisitionMode");
      mode ? *mode != 0 : has_suffix (path, {".txm"})) {
    stated.refused =
        text ("%s contains reconstructed slices (%s), and no projections: give the .txrm of the scan, or set "
              "axes=slices to read the slices",
              title.c_str (), mode ? text ("ImageInfo/AcquisitionMode is %" G_GINT64_FORMAT, *mode).c_str () : ".txm");
    return stated;
  }
  state_cone (scan, size, stack.columns, title, stated);
  stated.column_shifts = shifts_in (scan, "alignment/x-shifts", stack.pages, title, messages);
  stated.row_shifts = shifts_in (scan, "alignment/y-shifts", stack.pages, title, messages);
  for (const auto *name : {"AutoRecon/CenterShift", "ReconSettings/CenterShift"})
    if (const auto shift = scan.floats (name, 1); !stated.column && !shift.empty () && shift[0] != 0 &&
                                                  std::abs (shift[0]) <= static_cast<double> (stack.columns))
      stated.column = 0.5 * static_cast<double> (stack.columns) - shift[0];
  return stated;
}

class ZeissImages final : public StatedImages
{
public:
  static std::shared_ptr<const ImageFile> open (const ReadRequest &request, std::vector<std::string> &messages)
  {
    ZeissScan scan (request.paths[0]);
    auto stack = scan.stack (messages);
    auto stated = stated_in (scan, *stack, request.path, messages);
    return std::make_shared<ZeissImages> (request.path, std::move (stack), std::move (stated),
                                          scan.references (messages));
  }

  ZeissImages (std::string path_, std::shared_ptr<const Stack> stack_, StatedScan stated_,
               std::shared_ptr<const Stack> references)
      : StatedImages (std::move (path_), std::move (stack_), std::move (stated_)), flats (std::move (references))
  {
  }

  std::string place (const std::string &name) const override { return name == "theta" ? "ImageInfo/Angles" : name; }
  std::shared_ptr<const Stack> frames (const std::string &name, std::vector<std::string> &) const override
  {
    return name == "data_white" ? flats : nullptr;
  }

private:
  const std::shared_ptr<const Stack> flats;
};

const Registered<ReadingFormat> zeiss (
    {.name = "Zeiss",
     .recognised = [] (const Descriptor &file) { return begins_with (file, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"); },
     .suffixes = {".txrm", ".xrm", ".txm"},
     .elements = {Element::u16, Element::f32},
     .open = ZeissImages::open});

} // namespace
} // namespace sino::files
