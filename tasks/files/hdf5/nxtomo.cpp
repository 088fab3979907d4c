// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/nxtomo.hpp"
#include "base/angle.hpp"
#include "tasks/files/numbers.hpp"
#include "tasks/files/quantity.hpp"
#include <cmath>
#include <optional>

namespace sino::files {

// Parts of the path ENTRY/instrument/DETECTOR/data.
struct Parts {
  std::string entry, detector;
};

static std::optional<Parts> find_place (const std::string &path)
{
  constexpr std::string_view middle = "/instrument/", end = "/data";
  if (!path.ends_with (end))
    return {};
  const auto detector = path.substr (0, path.size () - end.size ());
  const auto slash = detector.rfind ('/');
  if (slash == detector.npos || !std::string_view (detector).substr (0, slash + 1).ends_with (middle))
    return {};
  return Parts{detector.substr (0, slash + 1 - middle.size ()), detector};
}

bool is_nxtomo_name (const std::string &path)
{
  return find_place (path).has_value ();
}

bool is_nxtomo (const ImageFile &file)
{
  return is_nxtomo_name (file.place (""));
}

// A path below the entry, or below its detector.
static std::string below (const ImageFile &file, const std::string &name)
{
  constexpr std::string_view usual = "/instrument/detector/";
  const auto place = find_place (file.place ("")).value_or (Parts{});
  return name.starts_with (usual) ? place.detector + name.substr (usual.size () - 1) : place.entry + name;
}

// A length in mm, if it exists.
static std::optional<double> length (const ImageFile &file, const char *path)
{
  return quantity (file, below (file, path), lengths, "m");
}

std::string nxtomo_angles (const ImageFile &file)
{
  for (const auto &name :
       {is_nxtomo (file) ? below (file, "/sample/rotation_angle") : std::string (), std::string ("rotation_angle")})
    if (!name.empty () && file.count (name) > 0)
      return name;
  return {};
}

static std::vector<double> position (const ImageFile &file, const char *path, std::vector<std::string> &messages)
{
  return or_unknown (messages, [&] { return numbers (file, below (file, path), 1); });
}

static std::optional<double> pixel_size (const ImageFile &file, const char *path, std::vector<std::string> &messages)
{
  const auto size = or_unknown (messages, [&] { return length (file, path); });
  return size && *size >= 1e-30 && *size <= 1e30 ? size : std::optional<double> ();
}

StatedScan nxtomo_detector (const ImageFile &file, std::vector<std::string> &messages)
{
  StatedScan known;
  const auto width = pixel_size (file, "/instrument/detector/x_pixel_size", messages),
             height = pixel_size (file, "/instrument/detector/y_pixel_size", messages);
  if (width && height)
    known.aspect = *height / *width;
  if (const auto row = position (file, "/instrument/detector/y_rotation_axis_pixel_position", messages); !row.empty ())
    known.row = row[0] + 0.5;
  return known;
}

Geometry nxtomo_geometry (const ImageFile &file, const std::vector<double> &degrees, int64_t rows, int64_t columns,
                          std::vector<std::string> &messages)
{
  Geometry geometry;
  const auto length_of = [&] (const char *path) { return or_unknown (messages, [&] { return length (file, path); }); };
  const auto column = position (file, "/instrument/detector/x_rotation_axis_pixel_position", messages);
  if (!column.empty () && column[0] > 0) {
    geometry.axis = {column[0] + 0.5};
    messages.push_back (text ("%s: x_rotation_axis_pixel_position is used as a column, counted from the middle of the "
                              "first one: the axis is at %g; axis= overrides it",
                              file.title ().c_str (), geometry.axis[0]));
  } else if (!column.empty ())
    messages.push_back (text ("%s: x_rotation_axis_pixel_position is %g, which is not a column: set axis=",
                              file.title ().c_str (), column[0]));
  const auto width = pixel_size (file, "/instrument/detector/x_pixel_size", messages),
             to_source = length_of ("/instrument/source/distance"),
             to_detector = length_of ("/instrument/detector/distance");
  geometry.pixel_size = width;
  geometry.in_mm = width.has_value ();
  find_beam (file,
             {{below (file, "/instrument/beam/incident_energy"), "keV"},
              {below (file, "/beam/incident_energy"), "keV"},
              {below (file, "/sample/beam/incident_energy"), "keV"},
              {below (file, "/instrument/monochromator/energy"), "keV"}},
             {{below (file, "/sample/propagation_distance"), "m"}}, geometry, messages);
  if (!geometry.distance && to_detector && *to_detector > 0)
    geometry.distance = *to_detector * 1e-3;
  std::vector<std::string> told; // messages that nxtomo_detector () has given already
  if (const auto height = pixel_size (file, "/instrument/detector/y_pixel_size", told); width && height)
    geometry.rows_apart = *height / *width;
  if (!width || !to_source || !to_detector || degrees.empty () || *to_source == 0)
    return geometry;
  const double source = std::abs (*to_source), half = 0.5 * static_cast<double> (columns) * *width;
  if (half * half / source < 0.1 * *width)
    return geometry;
  messages.push_back (text ("%s: its distances describe a cone beam; with angles= it is treated as a parallel beam",
                            file.title ().c_str ()));
  for (const auto degree : degrees)
    geometry.angles.push_back (radians (degree));
  const auto known = nxtomo_detector (file, messages);
  geometry.views = views_of ({.source_origin = source,
                              .origin_detector = std::abs (*to_detector),
                              .pixel_width = *width,
                              .pixel_height = known.aspect * *width,
                              .column = geometry.axis.empty () ? 0.5 * static_cast<double> (columns) : geometry.axis[0],
                              .row = known.row.value_or (0.5 * static_cast<double> (rows))},
                             geometry.angles);
  return geometry;
}

} // namespace sino::files
