// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/objects/named.hpp"
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include <algorithm>
#include <cmath>
#include <glib.h>
#include <numbers>

namespace sino::objects {

static constexpr double endless = Ellipsoid::endless;

// The head of Shepp and Logan (1974), with positions and sizes from Kak and Slaney (1988), page 55, and the values of
// Toft (1996), whose higher contrast is visible to the eye.
static Object shepp_logan ()
{
  return {{{0, 0, 0}, {0.69, 0.92, endless}, {}, 1},          {{0, -0.0184, 0}, {0.6624, 0.874, endless}, {}, -0.8},
          {{0.22, 0, 0}, {0.11, 0.31, endless}, {-18}, -0.2}, {{-0.22, 0, 0}, {0.16, 0.41, endless}, {18}, -0.2},
          {{0, 0.35, 0}, {0.21, 0.25, endless}, {}, 0.1},     {{0, 0.1, 0}, {0.046, 0.046, endless}, {}, 0.1},
          {{0, -0.1, 0}, {0.046, 0.046, endless}, {}, 0.1},   {{-0.08, -0.605, 0}, {0.046, 0.023, endless}, {}, 0.1},
          {{0, -0.605, 0}, {0.023, 0.023, endless}, {}, 0.1}, {{0.06, -0.605, 0}, {0.023, 0.046, endless}, {}, 0.1}};
}

// Positions and sizes from Kak and Slaney (1988), page 102, values of Yu, Ye and Wang (Proc. SPIE 5535, 2004).
static Object shepp_logan_3d ()
{
  return {{{0, 0, 0}, {0.69, 0.92, 0.9}, {}, 1},
          {{0, 0, 0}, {0.6624, 0.874, 0.88}, {}, -0.8},
          {{-0.22, 0, -0.25}, {0.41, 0.16, 0.21}, {108}, -0.2},
          {{0.22, 0, -0.25}, {0.31, 0.11, 0.22}, {72}, -0.2},
          {{0, 0.35, -0.25}, {0.21, 0.25, 0.5}, {}, 0.2},
          {{0, 0.1, -0.25}, {0.046, 0.046, 0.046}, {}, 0.2},
          {{-0.08, -0.65, -0.25}, {0.046, 0.023, 0.02}, {}, 0.1},
          {{0.06, -0.65, -0.25}, {0.046, 0.023, 0.02}, {90}, 0.1},
          {{0.06, -0.105, 0.625}, {0.056, 0.04, 0.1}, {90}, 0.2},
          {{0, 0.1, 0.625}, {0.056, 0.056, 0.1}, {}, -0.2}};
}

// Rods in six sectors of a cylinder, as in Derenzo's phantom: triangles of discs two diameters apart, with a different
// diameter per sector.
static Object resolution ()
{
  constexpr double radius = 0.95, margin = 0.06;
  constexpr double diameters[] = {0.12, 0.08, 0.05, 0.03, 0.02, 0.0125};
  Object object{{{}, {radius, radius, endless}, {}, 0.3}};
  for (int sector = 0; sector < 6; sector++) {
    const double d = diameters[sector], turn = (sector + 0.5) * std::numbers::pi / 3;
    for (int row = 0;; row++) {
      const double out = margin + d + row * std::numbers::sqrt3 * d;
      if (std::hypot (out, row * d) + d > radius)
        break;
      for (int i = 0; i <= row; i++) {
        const double across = (2 * i - row) * d;
        object.push_back (
            {{out * std::cos (turn) - across * std::sin (turn), out * std::sin (turn) + across * std::cos (turn), 0},
             {d / 2, d / 2, endless},
             {},
             0.3});
      }
    }
  }
  return object;
}

// --- objects from files ---

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

// Reads a JSON list such as [{"centre": [0, 0.5], "half-axes": [0.2, 0.1], "rotation": 30, "value": 1}]. Errors name
// the place in the file.
static Object read_object (const std::string &path)
{
  const auto json = read_json ("object", path);
  constexpr size_t most_ellipsoids = 65536; // more than any object needs
  Object object;
  try {
    scan_json (json, [&] (std::string_view element) {
      if (object.size () == most_ellipsoids)
        fail (SINO_ERROR_BAD_FILE, "more than %zu ellipsoids", most_ellipsoids);
      object.push_back (ellipsoid (JsonDocument (element).root (text ("$[%zu]", object.size ()))));
    });
    if (object.empty ())
      fail (SINO_ERROR_BAD_FILE, "it must be an array of ellipsoids [{\"half-axes\": ..., \"value\": ...}, ...]");
  } catch (const Error &e) {
    fail (SINO_ERROR_BAD_FILE, "object '%s': %s", path.c_str (), e.what ());
  }
  return object;
}

Object load_object (const std::string &name)
{
  if (name == "shepp-logan")
    return shepp_logan ();
  if (name == "shepp-logan-3d")
    return shepp_logan_3d ();
  if (name == "resolution")
    return resolution ();
  if (g_file_test (name.c_str (), G_FILE_TEST_EXISTS))
    return read_object (name);
  fail (SINO_ERROR_BAD_PROPERTY,
        "object: '%s' is neither 'shepp-logan', 'shepp-logan-3d', 'resolution' nor an existing JSON file",
        name.c_str ());
}

} // namespace sino::objects
