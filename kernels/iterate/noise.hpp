// SPDX-License-Identifier: LGPL-3.0-or-later
// The noise of a sinogram from its values alone. In a block of 16 x 16 values, the median of absolute differences,
// which the object's smooth parts do not reach and edges hardly change, gives the standard deviation of normal noise.
// The result is the root mean square over the blocks: rays through more of the object have more noise.
//
// They are fourth differences along columns, of which those along angles take second differences, too: that removes
// what hardly changes from one projection to the next. For projections that are far apart, it is left out. The smaller
// result counts, because an object only adds to both.
#pragma once
#include <cstdint>
#include <vector>

namespace sino::iterate {

// Weaker noise, as a share of the root mean square of the values, counts as this much: rows that were computed have
// none, and TV needs some weight to converge.
constexpr double least_noise = 1e-4;

// Values of a block in both directions, and those that differences reach beyond.
constexpr int64_t block_side = 16, beyond_columns = 4, beyond_angles = 2;

// Sinograms: [angle][column][stride], of which the first `lanes` values of each column are used.
struct Sinograms {
  const float *values;
  int64_t angles, columns, stride;
  int lanes;
};
// Some of the blocks, which all threads can share: results of begin .. end - 1 for add_noise ().
struct NoiseBlocks {
  int64_t across, along, step; // blocks in both directions; every step-th one is used
  int64_t width, height;       // columns and angles of a block

  explicit NoiseBlocks (const Sinograms &sinograms);
  int64_t count () const { return (across * along + step - 1) / step; }
};
// For each block, [lane][2]: the squares of both results; not a number where values are not finite.
void noise_of_block (const Sinograms &sinograms, const NoiseBlocks &blocks, int64_t block, float *squares);
// The same from a block's medians of absolute differences: along columns and angles, and along columns alone.
void squares_of (float both, float along_columns, float *squares);
// The standard deviation of a lane's noise; 0: none was found.
double noise_of (const std::vector<float> &squares, int lanes, int lane);

} // namespace sino::iterate
