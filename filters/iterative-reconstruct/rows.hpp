// SPDX-License-Identifier: LGPL-3.0-or-later
// What the rows of sinograms tell before iterations, and rows continued beyond the detector.
#pragma once
#include "device/cpu.hpp"
#include "filters/iterative-reconstruct/iteration.hpp"
#include "kernels/iterate/noise.hpp"
#include "stream/format.hpp"

namespace sino::iterative_reconstruct {

// What the flats of the scan tell of rows, by their indices in a stream of this format; empty: nothing.
std::vector<iterate::ValueNoise> known_noise (const Format &format, const std::vector<int64_t> &rows,
                                              const Frames::Watch &watch);
// The same; empty if the noise is given.
inline std::vector<iterate::ValueNoise> known_noise (const Problem &problem, const Format &format,
                                                     const std::vector<int64_t> &rows, const Frames::Watch &watch)
{
  return problem.solving.noise ? std::vector<iterate::ValueNoise>{} : known_noise (format, rows, watch);
}

// The noise, given or found, and the squares of all values.
Lanes look (const iterate::Sinograms &sinograms, const Problem &problem, const Cpu &cpu);

// The same for `used` lanes from `first` on, without the values. `found`: results of blocks
// (kernels/iterate/noise.hpp); `squares`: the sum of squares of each row, [ray][lane].
Lanes lanes_of (const Problem &problem, const std::vector<float> &found, const std::vector<double> &squares,
                const iterate::Sinograms &sinograms, int first, int used);

// What bin i of a continued row is multiplied by.
double taper (int64_t i, int64_t columns, int64_t margin, int64_t size);

// Rows of `size` bins, each lane beside the next: `margin` bins before a row, and as many as are left behind it, go
// from the row's end to 0 as sin^2. An object that leaves the detector needs what its rest adds to rays.
void continue_rows (const iterate::Sinograms &sinograms, int64_t margin, int64_t size, const Cpu &cpu, float *to);

} // namespace sino::iterative_reconstruct
