// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/planes.hpp"
#include "base/error.hpp"
#include <cmath>
#include <numbers>

namespace sino::live {

static constexpr char way[] =
    "give the middle of the picture by x= and y=, in columns from the axis, and z=, the number of a slice, and its "
    "direction by angle= and tilt=, in degrees, as z=100 or x=0 or x=0,y=0,z=40,angle=30,tilt=20";

PlaneWords parse_plane (const std::string &text)
{
  PlaneWords plane{.text = text, .x = {}, .y = {}, .z = {}};
  std::optional<double> angle, tilt;
  bool middle = false;
  each_word (text, ",", [&] (std::string_view word) {
    if (word == "z")
      return void (middle = true);
    const auto equals = word.find ('=');
    const auto name = word.substr (0, equals);
    double value = 0;
    if (equals == word.npos || !parse_number (word.substr (equals + 1), value) || !(std::abs (value) < 1e6))
      fail (SINO_ERROR_BAD_PROPERTY, "'%s' is no plane: %s", text.c_str (), way);
    auto *place = name == "x"       ? &plane.x
                  : name == "y"     ? &plane.y
                  : name == "z"     ? &plane.z
                  : name == "angle" ? &angle
                  : name == "tilt"  ? &tilt
                                    : nullptr;
    if (!place || *place)
      fail (SINO_ERROR_BAD_PROPERTY, "'%s' is no plane, because of '%s': %s", text.c_str (),
            std::string (word).c_str (), way);
    *place = value;
  });
  if (!middle && !plane.x && !plane.y && !plane.z && !angle && !tilt)
    fail (SINO_ERROR_BAD_PROPERTY, "'%s' is no plane: %s", text.c_str (), way);
  const bool across_x = plane.x && !plane.y && !plane.z, across_y = plane.y && !plane.x && !plane.z;
  const bool directed = angle || tilt;
  plane.angle = angle.value_or (across_x && !directed ? 90 : 0);
  plane.tilt = tilt.value_or ((across_x || across_y) && !directed ? 90 : 0);
  return plane;
}

std::vector<PlaneWords> parse_planes (const std::string &text)
{
  std::vector<PlaneWords> planes;
  each_word (text, " ;\t\n", [&] (std::string_view word) { planes.push_back (parse_plane (std::string (word))); });
  return planes;
}

namespace {

struct Direction {
  double cos, sin;
};

// Exact for quarters of a turn, so that lines of upright planes see the same columns.
Direction direction_of (double degrees)
{
  const double rest = std::remainder (degrees, 360);
  if (rest == 0)
    return {1, 0};
  if (std::abs (rest) == 90)
    return {0, rest > 0 ? 1.0 : -1.0};
  if (std::abs (rest) == 180)
    return {-1, 0};
  const double radians = rest * std::numbers::pi / 180;
  return {std::cos (radians), std::sin (radians)};
}

} // namespace

int64_t Measures::width () const
{
  return size > 0 ? size : static_cast<int64_t> (std::ceil (static_cast<double> (columns) / pixel));
}

int64_t Measures::upright_height () const
{
  return size > 0 ? size : static_cast<int64_t> (std::ceil (static_cast<double> (rows) * rows_apart / pixel));
}

size_t Measures::most_values () const
{
  const Plane widest{.x = 0, .y = 0, .row = 0, .right = {}, .down = {}, .width = width (), .height = 0};
  return static_cast<size_t> (widest.stride () * std::max (width (), upright_height ()));
}

void Measures::check (const PlaneWords &words) const
{
  constexpr double rounding = 1e-9;
  const auto bin = static_cast<double> (row_bin);
  const double row = plane_of (words).row * bin + 0.5 * (bin - 1), end = static_cast<double> (rows - 1);
  if (direction_of (words.tilt).sin == 0 && (row < -rounding || row > end + rounding))
    fail (SINO_ERROR_BAD_PROPERTY,
          "planes: '%s' is outside of the volume, which has slices %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
          words.text.c_str (), slices.first, slices.number (slices.extent - 1));
}

Plane Measures::plane_of (const PlaneWords &words) const
{
  const auto turn = direction_of (words.angle), tilt = direction_of (words.tilt);
  const double middle = 0.5 * static_cast<double> (rows - 1), bin = static_cast<double> (row_bin);
  const double row =
      words.z ? (*words.z - static_cast<double> (slices.first)) / static_cast<double> (slices.step) : middle;
  return {.x = words.x.value_or (0),
          .y = words.y.value_or (0),
          .row = (row - 0.5 * (bin - 1)) / bin,
          .right = {pixel * turn.cos, pixel * turn.sin},
          .down = {-pixel * turn.sin * tilt.cos, pixel * turn.cos * tilt.cos, pixel * tilt.sin / (rows_apart * bin)},
          .width = width (),
          .height = tilt.cos == 0 ? upright_height () : width ()};
}

} // namespace sino::live
