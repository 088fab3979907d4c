// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections of a scan with views.
#pragma once
#include "stream/view.hpp"
#include "tests/support/run-task.hpp"
#include <glib.h>
#include <random>

namespace sino::test {

// Angles in equal steps, in radians.
inline std::vector<double> turned (int64_t projections, double range = 2 * G_PI)
{
  std::vector<double> angles;
  for (int64_t i = 0; i < projections; i++)
    angles.push_back (0.3 + range * static_cast<double> (i) / static_cast<double> (projections));
  return angles;
}

// All values are zero.
inline Array empty_projections (const ScanSetup &setup, const std::vector<double> &angles, int64_t rows,
                                int64_t columns)
{
  Array all{projections (Element::f32, {Axis::angle, std::ssize (angles)}, {Axis::row, rows}, {Axis::column, columns}),
            {}};
  auto geometry = std::make_shared<Geometry> ();
  geometry->angles = angles;
  geometry->axis = {setup.column};
  geometry->views = views_of (setup, angles);
  all.format.geometry = std::move (geometry);
  all.bytes.resize (static_cast<size_t> (all.format.bytes ()));
  return all;
}

inline Array random_projections (const ScanSetup &setup, const std::vector<double> &angles, int64_t rows,
                                 int64_t columns)
{
  auto all = empty_projections (setup, angles, rows, columns);
  std::mt19937 random (3);
  std::normal_distribution<float> normal;
  for (size_t i = 0; i < all.bytes.size () / sizeof (float); i++)
    all.as<float> ()[i] = normal (random);
  return all;
}

} // namespace sino::test
