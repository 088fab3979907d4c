// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/objects/list.hpp"
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include <algorithm>

namespace sino::objects {

namespace {

std::vector<double> vector (const JsonCursor &place)
{
  std::vector<double> values;
  for (const auto &element : place.elements ())
    values.push_back (element.number ());
  if (values.size () != 2 && values.size () != 3)
    place.refuse ("must have 2 or 3 numbers");
  return values;
}

void set_half_axes (Ellipsoid &e, const JsonCursor &place)
{
  const auto v = vector (place);
  std::copy (v.begin (), v.end (), e.half_axes.begin ());
  for (const double a : v)
    if (a < 1e-6 || a > 1e6)
      place.refuse ("half axes must be from 1e-6 to 1e6");
}

void set_turns (Ellipsoid &e, const JsonCursor &place)
{
  const auto v = place.is_array () ? vector (place) : std::vector<double>{place.number ()};
  if (v.size () == 2)
    place.refuse ("must be one angle about z or an array of 3 Euler angles");
  std::copy (v.begin (), v.end (), e.turns.begin ());
  if (e.half_axes[2] == Ellipsoid::endless && (e.turns[1] != 0 || e.turns[2] != 0))
    place.refuse ("must be one angle: an ellipse with 2 half axes turns about z only");
}

Ellipsoid ellipsoid (const JsonCursor &place)
{
  const auto found = place.object ({"centre", "half-axes", "rotation", "value"}, {"half-axes", "value"});
  Ellipsoid e;
  e.value = found.at ("value").number ();
  set_half_axes (e, found.at ("half-axes"));
  if (const auto centre = found.find ("centre"); centre != found.end ()) {
    const auto v = vector (centre->second);
    std::copy (v.begin (), v.end (), e.centre.begin ());
  }
  if (const auto rotation = found.find ("rotation"); rotation != found.end ())
    set_turns (e, rotation->second);
  return e;
}

} // namespace

// More ellipsoids than any object needs.
constexpr size_t most_ellipsoids = 65536;

Object read_object (const std::string &path)
{
  const auto json = read_json ("object", path);
  Object object;
  try {
    scan_json (json, [&] (std::string_view element) {
      if (object.size () == most_ellipsoids)
        fail (SINO_ERROR_BAD_FILE, "more than %zu ellipsoids", most_ellipsoids);
      object.push_back (ellipsoid (JsonDocument (element).root (text ("$[%zu]", object.size ()))));
    });
    if (object.empty ())
      fail (SINO_ERROR_BAD_FILE, "an array of ellipsoids [{\"half-axes\": ..., \"value\": ...}, ...] is wanted");
  } catch (const Error &e) {
    fail (SINO_ERROR_BAD_FILE, "object '%s': %s", path.c_str (), e.what ());
  }
  return object;
}

} // namespace sino::objects
