// SPDX-License-Identifier: LGPL-3.0-or-later
// Bruker SkyScan .log: geometry of a scan, whose projections are TIFF files beside it. The format is not published;
// names are those of its files, signs those of TIGRE (github.com/CERN/TIGRE) and of the ASTRA toolbox's reader:
// docs/guide/scanners.md.
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/files/text-file.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/stated-scan.hpp"
#include "tasks/files/scanners/images-beside.hpp"
#include "tasks/files/scanners/key-values.hpp"
#include <array>
#include <cmath>

namespace sino::files {

namespace {

class SkyScan
{
public:
  explicit SkyScan (const std::string &path) : file (path), folder (folder_of (path))
  {
    if (file.has_section ("File name convention"))
      fail (SINO_ERROR_BAD_FILE, "%s describes reconstructed slices: give the .log beside the projections",
            file.title.c_str ());
    if (const auto path_of_source = file.find (taken, "Scanning Trajectory");
        path_of_source && lower_case (*path_of_source) != "round")
      fail (SINO_ERROR_BAD_FILE, "%s: its 'Scanning Trajectory' is %s: only ROUND works", file.title.c_str (),
            in_quotes (*path_of_source).c_str ());
  }

  std::shared_ptr<const ImageFile> open (const std::string &path, std::vector<std::string> &messages) const
  {
    const auto paths = images (messages);
    auto stack = open_images_of (file.title, paths, rows, columns, messages);
    return std::make_shared<StatedImages> (path, std::move (stack), stated (std::ssize (paths), messages));
  }

private:
  static constexpr const char *taken = "Acquisition", *made = "Reconstruction";
  static constexpr double parallel_from = 10000; // mm from source to object, as NRecon has it

  const KeyValues file;
  const std::string folder;
  const int64_t columns = file.whole (taken, "Number of Columns", 1, largest_extent),
                rows = file.whole (taken, "Number of Rows", 1, largest_extent),
                number_of_files = file.whole (taken, "Number of Files", 1, largest_extent);
  const double step = file.number (taken, "Rotation Step (deg)", 1e-6, 180);
  const std::string prefix = file.word (taken, "Filename Prefix");

  double micrometres (const char *key) const { return 1e-3 * file.number (taken, key, 1e-6, 1e9); }

  // The images of at most one turn. The last of them may not be there.
  std::vector<std::string> images (std::vector<std::string> &messages) const
  {
    const int64_t digits =
        file.find (taken, "Filename Index Length") ? file.whole (taken, "Filename Index Length", 1, 10) : 4;
    const auto found = numbered_files (folder, prefix, digits, {".tif", ".tiff"});
    const auto pattern = prefix + std::string (static_cast<size_t> (digits), '#') + ".tif";
    auto count = number_of_files;
    const auto in_turn = static_cast<int64_t> (std::llround (360 / step));
    if (count > in_turn && static_cast<double> (count) * step > 360 + 0.5 * step) {
      messages.push_back (text ("%s: the %" G_GINT64_FORMAT
                                " images after the first turn repeat its begin and are left "
                                "out",
                                file.title.c_str (), count - in_turn));
      count = in_turn;
    } else if (count > 1 && !found.contains (count - 1) && found.contains (count - 2)) {
      count--;
      messages.push_back (text ("%s counts %" G_GINT64_FORMAT " files, and the last is not there: the others are used",
                                file.title.c_str (), number_of_files));
    }
    return images_from (found, 0, count, file.title, pattern);
  }

  StatedScan stated (int64_t images, std::vector<std::string> &messages) const
  {
    StatedScan scan;
    const auto direction = lower_case (file.find (taken, "Rotation Direction").value_or ("CC"));
    if (direction != "cc" && direction != "ccw" && direction != "cw")
      fail (SINO_ERROR_BAD_FILE, "%s: its 'Rotation Direction' is %s: only CC and CW work", file.title.c_str (),
            in_quotes (direction).c_str ());
    for (int64_t i = 0; i < images; i++)
      scan.angles.push_back ((direction == "cw" ? step : -step) * static_cast<double> (i));
    set_distances (scan);
    if (const auto line = file.find_number (taken, "Optical Axis (line)", -1e6, 1e6))
      scan.row = static_cast<double> (rows) - *line; // lines count from below
    if (const auto shift = post_alignment ())
      scan.column = 0.5 * static_cast<double> (columns) - *shift;
    const auto flat = file.find (taken, "Flat Field Correction");
    if (flat)
      scan.values = lower_case (*flat).starts_with ("on") ? Meaning::transmission : Meaning::counts;
    add_thermal_shifts (scan, messages);
    if (const auto turn = file.find_number (taken, "Image Rotation", -360, 360); turn && *turn != 0)
      messages.push_back (
          text ("%s: its 'Image Rotation' of %g degrees is not applied: set detector-roll= if the slices "
                "show that the axis leans",
                file.title.c_str (), *turn));
    if (const auto scans = file.find_number (taken, "Number of connected scans", 1, 1e6); scans && *scans > 1)
      messages.push_back (
          text ("%s is one of %g scans along the axis, and is read alone", file.title.c_str (), *scans));
    return scan;
  }

  // All follows from the distance of the source and the size of a pixel at the object. The detector's place only
  // scales.
  void set_distances (StatedScan &scan) const
  {
    const bool scaled_only =
        !file.find (taken, "Image Pixel Size (um)") && file.find (taken, "Scaled Image Pixel Size (um)");
    const auto at_object = micrometres (scaled_only ? "Scaled Image Pixel Size (um)" : "Image Pixel Size (um)");
    const double source = file.number (taken, "Object to Source (mm)", least_length, most_length);
    if (source >= parallel_from) {
      scan.pixel_size = at_object;
      return;
    }
    const double camera =
        file.find_number (taken, "Camera to Source (mm)", least_length, most_length).value_or (2 * source);
    if (!(camera > source))
      fail (SINO_ERROR_BAD_FILE,
            "%s: 'Camera to Source (mm)' is %g and 'Object to Source (mm)' %g, but the camera is behind the object",
            file.title.c_str (), camera, source);
    scan.source_origin = source;
    scan.origin_detector = camera - source;
    scan.pixel_size = at_object * camera / source;
  }

  // The axis in columns from the middle, as NRecon found it; of this part of a connected scan if there are several.
  std::optional<double> post_alignment () const
  {
    if (const auto found = file.find_number (made, "Postalignment", -1e6, 1e6))
      return found;
    const auto tilde = prefix.rfind ('~');
    int64_t part = 0;
    if (tilde != prefix.npos)
      parse_integer (prefix.substr (tilde + 1), part);
    return file.find_number (made, text ("Sub-scan post alignment [%" G_GINT64_FORMAT "]", part).c_str (), -1e6, 1e6);
  }

  // Pixels of the camera in a column and in a row: "2x2".
  std::array<double, 2> binning () const
  {
    const auto numbers = parse_numbers (lower_case (file.find (taken, "Camera binning").value_or ("1x1")), 'x');
    if (numbers.size () != 2 || !(numbers[0] >= 1 && numbers[0] <= 64 && numbers[1] >= 1 && numbers[1] <= 64))
      fail (SINO_ERROR_BAD_FILE, "%s: its 'Camera binning' must be two numbers, as 2x2", file.title.c_str ());
    return {numbers[0], numbers[1]};
  }

  // "PREFIX_TS.csv": shifts of the images in columns and rows of the camera, against drift by warmth.
  void add_thermal_shifts (StatedScan &scan, std::vector<std::string> &messages) const
  {
    const auto path = entry_named (folder, prefix + "_ts.csv");
    if (path.empty ())
      return;
    const auto lines = shifts_in (path);
    if (lines.size () < scan.angles.size ()) {
      messages.push_back (text ("%s has shifts for %zu of %zu images, and is not used", in_quotes (path).c_str (),
                                lines.size (), scan.angles.size ()));
      return;
    }
    const auto [across, down] = binning ();
    for (size_t i = 0; i < scan.angles.size (); i++) {
      scan.column_shifts.push_back (-lines[i][0] / across);
      scan.row_shifts.push_back (-lines[i][1] / down);
    }
    messages.push_back (
        text ("%s: the shift of each image in %s is used", file.title.c_str (), in_quotes (path).c_str ()));
  }

  // Lines "number, shift, shift" after a head.
  static std::vector<std::array<double, 2>> shifts_in (const std::string &path);
};

std::vector<std::array<double, 2>> SkyScan::shifts_in (const std::string &path)
{
  std::vector<std::array<double, 2>> found;
  each_word (read_text ("", path, size_t{256} << 20), "\n", [&] (std::string_view line) {
    std::vector<double> row;
    each_word (line, ", \t\r", [&] (std::string_view word) {
      if (double number = 0; parse_number (word, number) && std::abs (number) <= 1e6)
        row.push_back (number);
    });
    if (row.size () == 3 && row[0] == static_cast<double> (found.size ()))
      found.push_back ({row[1], row[2]});
  });
  return found;
}

// By two keys near its begin, because other programs write .log files, too.
bool is_skyscan (const Descriptor &described)
{
  std::string start (static_cast<size_t> (std::min<int64_t> (described.size (), 16384)), '\0');
  described.read (start.data (), start.size (), 0);
  start = lower_case (start);
  return start.find ("[acquisition]") != start.npos && start.find ("rotation step (deg)") != start.npos &&
         start.find ("[system]") != start.npos;
}

const Registered<ReadingFormat>
    skyscan ({.name = "SkyScan",
              .recognised = is_skyscan,
              .suffixes = {".log"},
              .describes = true,
              .open = [] (const ReadRequest &request, auto &messages) -> std::shared_ptr<const ImageFile> {
                return SkyScan (request.paths[0]).open (request.path, messages);
              }});

} // namespace
} // namespace sino::files
