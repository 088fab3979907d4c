// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/rows.hpp"
#include <cmath>
#include <numbers>

namespace sino::iterative_reconstruct {

std::vector<iterate::ValueNoise> known_noise (const Format &format, const std::vector<int64_t> &rows,
                                              const Frames::Watch &watch)
{
  std::vector<iterate::ValueNoise> known;
  if (!format.noise || format.values == Meaning::transmission)
    return known;
  const auto &dim = format.dim (Axis::row);
  for (const auto row : rows) {
    const auto of_row = format.noise->of_row (dim.number (row), watch);
    known.push_back ({.photons = of_row.photons,
                      .readout = of_row.readout,
                      .mean = (of_row.photons + of_row.readout) / static_cast<double> (format.noise->flats),
                      .fine = of_row.fine});
  }
  return known;
}

Lanes look (const iterate::Sinograms &sinograms, const Problem &problem, const Cpu &cpu)
{
  const auto lanes = static_cast<size_t> (sinograms.lanes);
  const iterate::NoiseBlocks blocks (sinograms);
  std::vector<float> found (static_cast<size_t> (blocks.count ()) * iterate::results_of_block * lanes);
  cpu.parallel (problem.solving.noise ? 0 : blocks.count (), 8, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++)
      iterate::noise_of_block (sinograms, blocks, i,
                               found.data () + static_cast<size_t> (i) * iterate::results_of_block * lanes);
  });
  std::vector<double> squares (problem.rays.size () * lanes, 0.0);
  cpu.parallel (sinograms.angles, 8, [&] (int64_t begin, int64_t end) {
    for (auto angle = begin; angle < end; angle++) {
      double *to = squares.data () + static_cast<size_t> (angle) * lanes;
      const float *from = sinograms.values + angle * sinograms.columns * sinograms.stride;
      for (int64_t column = 0; column < sinograms.columns; column++, from += sinograms.stride)
        for (size_t lane = 0; lane < lanes; lane++)
          to[lane] += static_cast<double> (from[lane]) * static_cast<double> (from[lane]);
    }
  });
  return lanes_of (problem, found, squares, sinograms, 0, sinograms.lanes);
}

Lanes lanes_of (const Problem &problem, const std::vector<float> &found, const std::vector<double> &squares,
                const iterate::Sinograms &sinograms, int first, int used)
{
  Lanes known{.used = used};
  for (int i = 0; i < used; i++) {
    const auto lane = static_cast<size_t> (i), from = static_cast<size_t> (first) + lane;
    for (size_t ray = 0; ray < problem.rays.size (); ray++)
      known.square[lane] +=
          static_cast<double> (problem.rays[ray].weight) * squares[ray * static_cast<size_t> (sinograms.lanes) + from];
    const double root = std::sqrt (known.square[lane] / static_cast<double> (problem.columns));
    const auto noise = problem.solving.noise ? iterate::Noise{*problem.solving.noise, false}
                                             : iterate::noise_of (found, sinograms, first + i);
    known.noise[lane] = noise.deviation;
    known.from_flats |= static_cast<uint32_t> (noise.is_from_counts) << lane;
    if (std::isfinite (root))
      known.noise[lane] = std::max (known.noise[lane], iterate::least_noise * root);
  }
  return known;
}

double taper (int64_t i, int64_t columns, int64_t margin, int64_t size)
{
  const auto beyond = std::max (margin - i, i - margin - columns + 1);
  const auto all = i < margin ? margin : size - margin - columns;
  return beyond <= 0
             ? 1
             : std::pow (std::cos (0.5 * std::numbers::pi * static_cast<double> (beyond) / static_cast<double> (all)),
                         2);
}

void continue_rows (const iterate::Sinograms &sinograms, int64_t margin, int64_t size, const Cpu &cpu, float *to)
{
  const auto lanes = sinograms.lanes;
  cpu.parallel (sinograms.angles, 1, [&] (int64_t begin, int64_t end) {
    for (auto angle = begin; angle < end; angle++) {
      const float *row = sinograms.values + angle * sinograms.columns * sinograms.stride;
      float *out = to + angle * size * lanes;
      for (int64_t i = 0; i < size; i++, out += lanes) {
        const auto column = std::clamp<int64_t> (i - margin, 0, sinograms.columns - 1);
        const double share = taper (i, sinograms.columns, margin, size);
        for (int lane = 0; lane < lanes; lane++)
          out[lane] = static_cast<float> (share) * row[column * sinograms.stride + lane];
      }
    }
  });
}

} // namespace sino::iterative_reconstruct
