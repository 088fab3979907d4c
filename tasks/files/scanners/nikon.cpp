// SPDX-License-Identifier: LGPL-3.0-or-later
// Nikon (X-Tek) .xtekct: geometry of a cone-beam scan, whose projections are TIFF files beside it. The format is not
// published; names and signs are those of CIL (github.com/TomographicImaging/CIL): docs/guide/scanners.md.
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/files/text-file.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/stated-scan.hpp"
#include "geometry/room.hpp"
#include "tasks/files/scanners/images-beside.hpp"
#include "tasks/files/scanners/key-values.hpp"
#include <cmath>

namespace sino::files {

namespace {

class NikonScan
{
public:
  explicit NikonScan (const std::string &path) : file (path), folder (folder_of (path)) {}

  std::shared_ptr<const ImageFile> open (const std::string &path, std::vector<std::string> &messages) const
  {
    return std::make_shared<StatedImages> (path, images (messages), stated (messages));
  }

private:
  static constexpr const char *section = "XTekCT";

  const KeyValues file;
  const std::string folder;
  const int64_t projections = file.whole (section, "Projections", 1, largest_extent),
                columns = file.whole (section, "DetectorPixelsX", 1, largest_extent),
                rows = file.whole (section, "DetectorPixelsY", 1, largest_extent);

  double length (const char *key) const { return file.number (section, key, least_length, most_length); }
  // A number that may be missing, under one of two names.
  std::optional<double> some (const char *key, const char *other, double limit) const
  {
    const auto found = file.find_number (section, key, -limit, limit);
    return found || !other ? found : file.find_number (section, other, -limit, limit);
  }

  StatedScan stated (std::vector<std::string> &messages) const
  {
    const auto at_zero = geometry ();
    const auto &setup = at_zero.setup;
    StatedScan scan;
    scan.angles = angles (messages);
    for (auto &angle : scan.angles)
      angle += sino::degrees (at_zero.turn);
    scan.source_origin = setup.source_origin;
    scan.origin_detector = setup.origin_detector;
    scan.pixel_size = setup.pixel_width;
    scan.aspect = setup.pixel_height / setup.pixel_width;
    scan.column = setup.column;
    scan.row = setup.row;
    scan.yaw = sino::degrees (setup.yaw);
    scan.pitch = sino::degrees (setup.pitch);
    scan.roll = sino::degrees (setup.roll);
    scan.axis_tilt = sino::degrees (setup.axis_tilt);
    scan.values = Meaning::transmission;
    scan.factor = 1 / file.number (section, "WhiteLevel", 1e-9, 1e9);
    return scan;
  }

  // The room from the source: x from column to column, y to the detector, z from row to row. The axis is a line that
  // may lean sideways (roll) and along the beam (tilt).
  SetupOfRoom geometry () const
  {
    const double to_object = length ("SrcToObject"), to_detector = length ("SrcToDetector"),
                 width = length ("DetectorPixelSizeX"), height = length ("DetectorPixelSizeY");
    if (!(to_detector > to_object))
      fail (SINO_ERROR_BAD_FILE,
            "%s: 'SrcToDetector' is %g and 'SrcToObject' %g, but the detector is behind the object",
            file.title.c_str (), to_detector, to_object);
    // Older files give the axis in mm on the detector, above and below.
    const double top = some ("CentreOfRotationTop", nullptr, most_length).value_or (0),
                 bottom = some ("CentreOfRotationBottom", nullptr, most_length).value_or (0);
    const auto offset = some ("ObjectOffsetX", nullptr, most_length), roll = some ("ObjectRoll", "ObjectRollDeg", 90),
               tilt = some ("ObjectTilt", "ObjectTiltDeg", 80);
    const double x = offset.value_or (0.5 * (top + bottom) * to_object / to_detector),
                 r = roll ? radians (*roll) : -std::atan2 (top - bottom, static_cast<double> (rows) * height),
                 t = radians (tilt.value_or (0));
    const Vector middle{some ("DetectorOffsetX", nullptr, most_length).value_or (0), to_detector,
                        -some ("DetectorOffsetY", nullptr, most_length).value_or (0)};
    const Vector column{width, 0, 0}, row{0, 0, height};
    try {
      return setup_of (
          {.source = {0, 0, 0},
           .corner = middle - 0.5 * static_cast<double> (columns) * column - 0.5 * static_cast<double> (rows) * row,
           .column = column,
           .row = row,
           .point = {x, to_object, 0},
           .axis = {std::sin (r), -std::sin (t) * std::cos (r), std::cos (t) * std::cos (r)},
           .forward = {0, 1, 0}});
    } catch (const Error &bad) {
      fail (SINO_ERROR_BAD_FILE, "%s: its distances, offsets and tilts do not fit together: %s", file.title.c_str (),
            bad.what ());
    }
  }

  // Degrees. Even steps, as CIL takes them; the angles that the stage reported only count where the step is missing.
  std::vector<double> angles (std::vector<std::string> &messages) const
  {
    const double first = some ("InitialAngle", nullptr, 1e6).value_or (0);
    const auto step = some ("AngularStep", nullptr, 360);
    const auto [measured, path] = measured_angles ();
    if ((!step || *step == 0) && measured.empty ())
      fail (SINO_ERROR_BAD_FILE,
            "%s has no 'AngularStep' in [%s], and there is no file of its angles beside it: add the line "
            "'AngularStep=...', or set angles=",
            file.title.c_str (), section);
    std::vector<double> list;
    double most = 0;
    for (size_t i = 0; i < static_cast<size_t> (projections); i++) {
      const bool even = step && *step != 0;
      const double turned = even ? *step * static_cast<double> (i) : measured[i];
      if (even && !measured.empty ())
        most = std::max (most, std::abs (measured[i] - measured[0] - turned));
      list.push_back (first + turned);
    }
    if (step && most > 0.5 * std::abs (*step))
      messages.push_back (
          text ("%s: its even steps of %g degrees are used, from which the angles in %s differ by up to "
                "%.3g degrees",
                file.title.c_str (), *step, in_quotes (path).c_str (), most));
    return list;
  }

  // The angles in "NAME_CTData.txt" or "NAME.ang": lines of a projection's number and its angle; empty if there is no
  // such file with all projections.
  std::pair<std::vector<double>, std::string> measured_angles () const
  {
    for (const auto &name : names ())
      for (const auto *end : {"_ctdata.txt", ".ang"}) {
        const auto path = entry_named (folder, name + end);
        std::map<int64_t, double> found;
        if (!path.empty ())
          each_word (read_text ("", path, size_t{64} << 20), "\n", [&] (std::string_view line) {
            std::vector<std::string_view> words;
            each_word (line, " \t\r:;", [&] (std::string_view word) { words.push_back (word); });
            int64_t number = 0;
            double angle = 0;
            if (words.size () >= 2 && parse_integer (words[0], number) && parse_number (words[1], angle) &&
                std::abs (angle) <= 1e6)
              found.insert_or_assign (number, angle); // after a head, which may also begin with numbers
          });
        if (std::ssize (found) > projections) // such as the head "Projs Frames Exposure" of the other numbers
          std::erase_if (found, [&] (const auto &one) { return one.first < 1 || one.first > projections; });
        if (std::ssize (found) == projections && found.rbegin ()->first - found.begin ()->first + 1 == projections) {
          std::vector<double> list;
          for (const auto &[number, angle] : found)
            list.push_back (angle);
          return {list, path};
        }
      }
    return {};
  }

  // What names of files may begin with: the name in the file, and that of the file itself, which may have changed.
  std::vector<std::string> names () const
  {
    const auto own = file_name (file.path);
    return {file.find (section, "Name").value_or (""), own.substr (0, own.rfind ('.')), ""};
  }

  std::shared_ptr<const Stack> images (std::vector<std::string> &messages) const
  {
    const auto separator = file.find (section, "InputSeparator").value_or ("_");
    std::map<int64_t, std::string> found;
    std::string pattern;
    for (const auto &name : names ())
      for (const auto &between : {separator, std::string ()})
        if (found.empty () && !name.empty ()) {
          found = numbered_files (input_folder (), name + between, 0, {".tif", ".tiff"});
          if (pattern.empty () || !found.empty ())
            pattern = name + between + "*.tif";
        }
    const int64_t first = found.contains (0) && !found.contains (projections) ? 0 : 1;
    auto paths = images_from (found, first, projections, file.title, pattern);
    if (std::ssize (found) > projections)
      messages.push_back (text ("%s describes %" G_GINT64_FORMAT " projections, and there are %zu files %s: those from "
                                "number %" G_GINT64_FORMAT " are used",
                                file.title.c_str (), projections, found.size (), in_quotes (pattern).c_str (), first));
    return open_images_of (file.title, paths, rows, columns, messages);
  }

  // The folder in the file, if it is there: it may be one of the scanner's computer.
  std::string input_folder () const
  {
    const auto inner = file.find (section, "InputFolderName");
    const auto path = inner ? folder + "/" + *inner : folder;
    return inner && g_file_test (path.c_str (), G_FILE_TEST_IS_DIR) ? path : folder;
  }
};

bool is_nikon (const Descriptor &described)
{
  for (const auto *mark : {"[XTekCT]", "\xef\xbb\xbf[XTekCT]"})
    if (begins_with (described, mark))
      return true;
  return false;
}

const Registered<ReadingFormat>
    nikon ({.name = "Nikon",
            .recognised = is_nikon,
            .suffixes = {".xtekct", ".xtekvolume"},
            .describes = true,
            .open = [] (const ReadRequest &request, auto &messages) -> std::shared_ptr<const ImageFile> {
              return NikonScan (request.paths[0]).open (request.path, messages);
            }});

} // namespace
} // namespace sino::files
