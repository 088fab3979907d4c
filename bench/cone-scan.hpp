// SPDX-License-Identifier: LGPL-3.0-or-later
// A scan of a cube of --size, for benchmarks of cone beams: a circle, or a helix of --turns.
#pragma once
#include "bench/scan.hpp"

namespace sino::bench {

// A full cone angle of 29 degrees; the detector covers the cube except for its corners. Voxels have the edge 1. A helix
// begins and ends half a turn beyond the cube.
std::shared_ptr<const Format> cone_scan (const BenchOptions &options);

// Movement of the object along the axis in a turn of the helix; 0: a circle.
double lift_of (const BenchOptions &options);

// Numbers from 1 to 2, the same every time.
void fill (Block &block);

} // namespace sino::bench
