// SPDX-License-Identifier: LGPL-3.0-or-later
// The noise of a sinogram, from its values or from what is known of its counts.
//
// From its values: in a block of 16 x 16 values, the median of absolute differences,
// which the object's smooth parts do not reach and edges hardly change, gives the standard deviation of normal noise.
// The result is the root mean square over the blocks: rays through more of the object have more noise.
//
// They are fourth differences along columns, of which those along angles take second differences, too: that removes
// what hardly changes from one projection to the next. For projections that are far apart, it is left out. The smaller
// result counts, because an object only adds to both. Details of the object that are as small as a column add much, and
// neighbours that share their noise hide it.
//
// From the counts: the mean of the variances that the values should have. Flats that were averaged before, or
// projections, have another noise than what is expected of them. So the quietest blocks of the sinogram, one of 20,
// are compared: their differences must have about the variance that those of the flats have.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace sino::iterate {

// Weaker noise, as a share of the root mean square of the values, counts as this much: rows that were computed have
// none, and TV needs some weight to converge.
constexpr double least_noise = 1e-4;

// Values of a block in both directions, and those that differences reach beyond.
constexpr int64_t block_side = 16, beyond_columns = 4, beyond_angles = 2;
// What is known of the noise of a value: the variance of v is photons e^v + readout e^(2 v) + mean.
struct ValueNoise {
  double photons = 0, readout = 0, mean = 0;
  double fine = 0; // the share of the variance that differences see; 0: nothing is known
  double unit = 1; // v of the value 1
};

// Sinograms: [angle][column][stride], of which the first `lanes` values of each column are used.
struct Sinograms {
  const float *values;
  int64_t angles, columns, stride;
  int lanes;
  std::span<const ValueNoise> known = {}; // of each lane; empty: nothing is known
};
// Some of the blocks, which all threads can share: results of begin .. end - 1 for add_noise ().
struct NoiseBlocks {
  int64_t across, along, step; // blocks in both directions; every step-th one is used
  int64_t width, height;       // columns and angles of a block

  explicit NoiseBlocks (const Sinograms &sinograms);
  int64_t count () const { return (across * along + step - 1) / step; }
};
// For each block, [lane][results_of_block]: the squares of both results, and the variance that is expected; not a
// number where values are not finite.
constexpr size_t results_of_block = 3;
void noise_of_block (const Sinograms &sinograms, const NoiseBlocks &blocks, int64_t block, float *squares);
// The squares from a block's medians of absolute differences: along columns and angles, and along columns alone.
void squares_of (float both, float along_columns, float *squares);

struct Noise {
  double deviation;    // standard; 0: none was found
  bool is_from_counts; // otherwise from values
};
// The noise of some lanes together. `squares`: of all blocks.
Noise noise_of (const std::vector<float> &squares, const Sinograms &sinograms, int first, int count = 1);

} // namespace sino::iterate
