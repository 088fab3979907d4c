// SPDX-License-Identifier: LGPL-3.0-or-later
// Estimates the time of the methods of parallel-beam reconstruction, to choose one. Rough, but comparable.
#pragma once
#include <cstdint>

namespace sino::reconstruct {

struct Work {
  int64_t columns, projections, slices;
  double pixels;    // wanted pixels of a slice
  int kernel_width; // width of the gridding's kernel, in cells
};

// Rates of a GPU per second; 0: not a GPU.
struct Gpu {
  double bytes = 0;  // read and written by plain kernels
  double cycles = 0; // cycles of all compute units, scaled to 128 float lanes each
};

// The computing machine. The ratio of the two estimates does not depend on the number of threads.
struct Machine {
  int threads;
  int vector_bytes;          // 64: AVX-512, 32: AVX2
  double direct_updates = 0; // back-projection updates of a device per second; 0: the native kernel runs
  Gpu gpu = {};              // if all kernels run on a GPU
};

// Seconds of the ramp filter only, and of back-projection only.
double filter_seconds (const Work &work, const Machine &machine);
double back_projection_seconds (const Work &work, const Machine &machine);
// Seconds of all work including the filter. Reading and writing of files is left out, because it is equal for all
// methods.
double direct_seconds (const Work &work, const Machine &machine);
double fourier_seconds (const Work &work, const Machine &machine);
// The part of it, on CPUs, that takes projections: transforms of rows and spreading.
double spreading_seconds (const Work &work, const Machine &machine);

// Largest width for gridding: its longest transform has 16384 cells, 1.25 per column. Gridding also needs vectors.
constexpr int64_t most_columns = 13000;

} // namespace sino::reconstruct
