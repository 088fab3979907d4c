// SPDX-License-Identifier: LGPL-3.0-or-later
// How long the methods of parallel-beam reconstruction take, to choose one. Rough, but alike for both.
#pragma once
#include <cstdint>

namespace sino::reconstruct {

struct Work {
  int64_t columns, projections, slices;
  double pixels;    // pixels wanted of a slice
  int kernel_width; // width of the gridding's kernel, in cells
};

// What a GPU does in a second; 0: it is none.
struct Gpu {
  double bytes = 0;  // read and written by plain kernels
  double cycles = 0; // of compute units with 128 lanes of floats
};

// What computes. The ratio of the two estimates is the same for any number of threads.
struct Machine {
  int threads;
  int vector_bytes;          // 64: AVX-512, 32: AVX2
  double direct_updates = 0; // updates of a device, per second; 0: the CPU's kernel runs
  Gpu gpu = {};              // where its kernels do all
};

// Seconds of back-projection alone.
double back_projection_seconds (const Work &work, const Machine &machine);
// Seconds of the whole work, filter included; reading and writing of files is the same for all.
double direct_seconds (const Work &work, const Machine &machine);
double fourier_seconds (const Work &work, const Machine &machine);

// Whether gridding can do it: its longest transform is of 16384 cells, 1.25 for each column, and it needs vectors.
constexpr int64_t most_columns = 13000;

} // namespace sino::reconstruct
