// SPDX-License-Identifier: LGPL-3.0-or-later
// Planes through two places of the source: in each, the integral of the object over its distance from the line between
// the places is the same for both projections.
#pragma once
#include "filters/find-geometry/least-squares.hpp"
#include "filters/find-geometry/reduced.hpp"
#include <optional>
#include <span>

namespace sino::find_geometry {

struct Planes {
  struct Pair {
    int64_t a, b;
    double half_angle;
  };
  const Reduced *scan;
  double aspect, reach; // greatest rise of a plane
  int planes;           // of each pair
  std::vector<Pair> pairs;

  Planes (const Reduced &scan, const Values &start, double aspect, std::span<const double> apart, int count,
          int planes);
  // Differences of each pair and plane, less those of the plane before; NaN where a plane leaves the detector.
  std::vector<double> differences (const Values &values) const;
};

struct Row {
  double row, error;
};

// Searches from start - reach to start + reach in steps, then fits what is within `spread` of the best row. None if too
// few planes are on the detector, or the best row is at the end of the search.
std::optional<Row> find_row (const Planes &planes, const Values &start, double reach, double step, double spread);

} // namespace sino::find_geometry
