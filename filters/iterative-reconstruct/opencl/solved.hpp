// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices of a few sinograms in host memory, by the kernels of a device and by those of the CPU: for trials and tests.
#pragma once
#include "filters/iterative-reconstruct/opencl/reconstruction.hpp"

namespace sino::iterative_reconstruct {

struct Solved {
  std::vector<std::vector<float>> slices; // of the problem's region
  std::vector<std::string> messages;
};

// Sinograms, [angle][column][lane], of which the first `rows` lanes are used.
struct SomeRows {
  std::vector<float> bins;
  int lanes, rows;
};

// `most`: slices at once. Throws Error, or Cancelled.
Solved solve_on (const OpenclDevice &device, const families::Setting &setting, const Problem &problem,
                 const SomeRows &rows, Monitor &monitor, int most = iterate::most_lanes);
Solved solve_natively (const Problem &problem, const SomeRows &rows);

} // namespace sino::iterative_reconstruct
