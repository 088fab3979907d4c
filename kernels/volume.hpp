// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/rows.hpp"
#include "stream/view.hpp"
#include <array>
#include <cstdint>

namespace sino::kernels {

// A box of voxels in slices of `lines` times `columns`; (0, 0, 0) is centred at `first`. Around them are zeros.
struct Volume {
  Vector first;
  double size;                    // edge of a voxel
  int64_t columns, lines, slices; // number of voxels along x, y and z
};

// Returns the centres of the outermost voxels of some slices, or of voxels `around` voxels farther out. Projections of
// the box between these points lie between the projections of the points.
inline std::array<Vector, 8> corners (const Volume &volume, Interval slices, double around = 0)
{
  const auto end = [&] (bool last, int64_t n) { return last ? static_cast<double> (n - 1) + around : -around; };
  std::array<Vector, 8> all;
  for (size_t i = 0; i < 8; i++)
    all[i] = volume.first + volume.size * Vector{end (i & 1, volume.columns), end (i & 2, volume.lines),
                                                 static_cast<double> (slices.begin) + end (i & 4, slices.size ())};
  return all;
}

} // namespace sino::kernels
