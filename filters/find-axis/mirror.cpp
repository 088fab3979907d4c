// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/mirror.hpp"
#include <numbers>

namespace sino::find_axis {

namespace {

using std::numbers::pi;
constexpr int64_t coarse_columns = 256, fine_columns = 1024;
constexpr double farthest = 16; // columns: if values at the border move farther per step, extrapolation is impossible

} // namespace

// Subtracts from each column its mean over a full turn, which equals its own mirror image. This removes stationary
// stripes and the smooth part of a wide object, which would match anywhere.
static void subtract_means (std::vector<float> &rows, int64_t number, int64_t columns)
{
  for (int64_t c = 0; c < columns; c++) {
    double sum = 0;
    for (int64_t t = 0; t < number; t++)
      sum += static_cast<double> (rows[static_cast<size_t> (t * columns + c)]);
    const auto mean = static_cast<float> (sum / static_cast<double> (number));
    for (int64_t t = 0; t < number; t++)
      rows[static_cast<size_t> (t * columns + c)] -= mean;
  }
}

size_t mirror_bytes (const Turn &turn, int64_t columns, int threads)
{
  const Level level (columns, fine_columns);
  const auto rows = turn.rows.size () + 1;
  const auto binned = rows * static_cast<size_t> (level.columns) * sizeof (float);
  const auto spectra = rows * static_cast<size_t> (level.frequencies) * sizeof (Complex);
  const auto around = 2 * turn.half, finely = Level::fine * level.length;
  const auto lines = static_cast<size_t> (threads) * (Lines::bytes (level.length) + Lines::bytes (around));
  const auto tables = Fft::plan_bytes (level.length) + Fft::plan_bytes (around) + Fft::plan_bytes (finely);
  return binned + spectra + lines + Lines::bytes (finely) + tables +
         static_cast<size_t> (threads + 2) * static_cast<size_t> (level.frequencies) * 32;
}

std::optional<Match> find_mirror (const Turn &turn, int64_t columns, Method method, const float *rows, const Cpu &cpu)
{
  const auto number = static_cast<int64_t> (turn.rows.size ());
  const auto binned = [&] (const Level &level) {
    std::vector<float> all (static_cast<size_t> (number * level.columns));
    cpu.parallel (number, 16, [&] (int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; t++)
        for (int64_t c = 0; c < level.columns; c++) {
          float sum = 0;
          for (int64_t i = 0; i < level.bin; i++)
            sum += rows[t * columns + c * level.bin + i];
          all[static_cast<size_t> (t * level.columns + c)] = sum;
        }
    });
    if (method == Method::opposites && turn.whole ())
      subtract_means (all, number, level.columns);
    return all;
  };
  if (method == Method::opposites && turn.opposites () == 0 &&
      pi / static_cast<double> (turn.half) * 0.5 * static_cast<double> (columns) > farthest)
    return {};
  const Level coarse (columns, coarse_columns), fine (columns, fine_columns);
  if (coarse.columns < 8)
    return {};
  std::optional<Match> first;
  {
    const auto few = binned (coarse);
    const auto guess = [&] (double share) {
      const auto match =
          Guesses (turn, coarse, few.data (), cpu).improve (method, share * static_cast<double> (coarse.columns));
      if (match && (!first || match->weight > first->weight))
        first = match;
    };
    guess (0.5);
    if (method == Method::opposites && turn.whole ())
      for (const double share : {0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9})
        guess (share);
    else if (first && first->coherence < 0.5)
      for (const double share : {0.3, 0.7})
        guess (share);
  }
  if (!first)
    return {};
  const double axis = first->axis * static_cast<double> (coarse.bin);
  const auto all = binned (fine);
  auto match = Guesses (turn, fine, all.data (), cpu).improve (method, axis / static_cast<double> (fine.bin));
  if (match) {
    match->axis *= static_cast<double> (fine.bin);
    match->error *= static_cast<double> (fine.bin);
  }
  return match;
}

} // namespace sino::find_axis
