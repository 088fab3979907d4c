// SPDX-License-Identifier: LGPL-3.0-or-later
// Rays near the plane of the source that a whole turn measures twice, once in each direction. With harmonics of the
// angle no projections have to be interpolated: for the fan angle g of a ray,
// h_k (g) exp (-i k g) = (-1)^k h_k (-g) exp (i k g).
#pragma once
#include "filters/find-geometry/least-squares.hpp"
#include "filters/find-geometry/reduced.hpp"
#include "stream/rows.hpp"

namespace sino::find_geometry {

// Harmonics of a band of rows: harmonic, row, column; real and imaginary parts.
struct Harmonics {
  int64_t first = 0, rows = 0, columns = 0;
  int count = 0;
  std::vector<float> real, imaginary;

  size_t at (int k, int64_t row) const { return static_cast<size_t> ((k * rows + row) * columns); }
};

// Rows that rays within `window` rows of the plane meet, with some room for a change of the detector.
Interval rows_around (const Reduced &scan, const Detector &detector, double window);
Harmonics harmonics_of (const Reduced &scan, const Interval &rows, int count);

// What is left of harmonics if those of opposite rays are taken away.
class Opposites
{
public:
  // `rows`: also rays that meet the detector so many rows above and below the plane.
  Opposites (const Harmonics &harmonics, const Values &start, double aspect, double rows);
  void add (const Values &values, std::vector<double> &left) const;
  // Share of the harmonics that both sides have in common, 0 to 1.
  double coherence () const { return common_share; }
  // Rows from that of `values` to the plane of the source.
  double rows_to_plane (const Values &values) const;

private:
  const Harmonics &all;
  double aspect, window, half;
  double common_share = 0;
  std::vector<double> weights;

  template <class Each> void sides (const Values &values, Each each) const;
  void weigh (const Values &start);
};

} // namespace sino::find_geometry
