// SPDX-License-Identifier: LGPL-3.0-or-later
// Scans of any geometry, and volumes that they see, for tests of forward-project and of its transpose.
#pragma once
#include "tests/support/run-task.hpp"
#include <glib.h>
#include <random>

namespace sino::test::forward_project_test {

using Words = std::vector<std::pair<std::string, std::string>>;

inline Words operator+ (Words a, const Words &b)
{
  a.insert (a.end (), b.begin (), b.end ());
  return a;
}

// Scans of 24 columns and 18 rows from 10 angles. The middle ray meets the detector off its middle.
const Words detector{{"width", "24"}, {"height", "18"}, {"projections", "10"}, {"angles", "7:367"}, {"axis", "11.3"}};
const Words cone{{"source-origin", "90"}, {"origin-detector", "45"}, {"middle-row", "8.2"}, {"pixel-size", "1.3"}};
const Words tilts{{"detector-yaw", "8"}, {"detector-pitch", "-9"}, {"detector-roll", "12"}};
const Words lamino{{"axis-tilt", "35"}}, steep{{"axis-tilt", "60"}}, helix{{"helical-pitch", "9"}};
const Words parallel{{"pixel-size", "1.1"}};

struct Scan {
  const char *name;
  Words words;
};

inline std::vector<Scan> scans ()
{
  return {{"cone", detector + cone},
          {"fan", Words{{"width", "24"}, {"height", "1"}, {"projections", "10"}, {"angles", "0:360"}} +
                      Words{{"source-origin", "90"}, {"origin-detector", "45"}}},
          {"plain parallel", detector},
          {"tilted parallel", detector + parallel + tilts + lamino},
          {"tilted", detector + cone + tilts},
          {"all at once", detector + cone + tilts + lamino + helix},
          {"laminography", detector + parallel + lamino},
          {"steep laminography", detector + parallel + steep},
          {"steep cone", detector + cone + steep + tilts},
          {"helix", detector + cone + helix}};
}

struct Box {
  int64_t size, slices; // of the whole volume
  Interval x, y, z;     // of it
  const char *voxel;
  Words whole () const
  {
    return {{"size", std::to_string (size)}, {"slices", std::to_string (slices)}, {"voxel-size", voxel}};
  }
  Words region () const
  {
    return {{"roi-x", std::to_string (x.begin)},        {"roi-y", std::to_string (y.begin)},
            {"roi-z", std::to_string (z.begin)},        {"roi-width", std::to_string (x.size ())},
            {"roi-height", std::to_string (y.size ())}, {"roi-depth", std::to_string (z.size ())}};
  }
};

inline void fill_random (Array &array, unsigned seed)
{
  array.bytes.resize (static_cast<size_t> (array.format.bytes ()));
  std::mt19937 random (seed);
  std::normal_distribution<float> normal;
  for (size_t i = 0; i < array.bytes.size () / sizeof (float); i++)
    array.as<float> ()[i] = normal (random);
}

inline Array random_volume (const Box &box)
{
  Array x{slices (Element::f32, {Axis::z, box.z.size (), box.z.begin}, {Axis::y, box.y.size (), box.y.begin},
                  {Axis::x, box.x.size (), box.x.begin}),
          {}};
  x.format.geometry = std::make_shared<const Geometry> ();
  fill_random (x, 5);
  return x;
}

inline double product (const Array &a, const Array &b)
{
  g_assert_cmpuint (a.bytes.size (), ==, b.bytes.size ());
  double sum = 0;
  for (size_t i = 0; i < a.bytes.size () / sizeof (float); i++)
    sum += static_cast<double> (a.as<float> ()[i]) * static_cast<double> (b.as<float> ()[i]);
  return sum;
}

const Box boxes[] = {{20, 16, {0, 20}, {0, 20}, {0, 16}, "0.9"},  // about a pixel
                     {20, 16, {2, 9}, {11, 20}, {5, 14}, "0.8"},  // off the axis
                     {48, 30, {0, 48}, {3, 40}, {0, 30}, "0.35"}, // many voxels to a pixel
                     {9, 7, {0, 9}, {0, 9}, {0, 7}, "2.6"}};      // many pixels to a voxel

} // namespace sino::test::forward_project_test
