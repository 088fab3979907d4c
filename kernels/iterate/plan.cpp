// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/iterate/place.hpp"
#include "kernels/iterate/stack.hpp"
#include <algorithm>
#include <cmath>

namespace sino::iterate {

using fourier_reconstruct::LaneFft;

Plan::Plan (int64_t size, kernels::VectorSet v)
    : vectors (v), fft (size), n (size), half_turns (fourier_reconstruct::half_turns (size)),
      kernel (static_cast<size_t> (4 * n * n)), metric (static_cast<size_t> (n * n)), first (static_cast<size_t> (n)),
      last (static_cast<size_t> (n))
{
}

// Calls f (column, row) in blocks, because one of the arrays is read or written across.
template <class F> static void in_blocks (int64_t begin, int64_t end, int64_t rows, F f)
{
  constexpr int64_t block = 32;
  for (int64_t column = begin; column < end; column += block)
    for (int64_t row = 0; row < rows; row += block)
      for (int64_t x = column; x < std::min (column + block, end); x++)
        for (int64_t y = row; y < std::min (row + block, rows); y++)
          f (x, y);
}

void Plan::set_kernel (const float *frequencies, int64_t begin, int64_t end)
{
  const auto scale = static_cast<float> (0.25 / static_cast<double> (n) / static_cast<double> (n));
  in_blocks (begin, end, 2 * n, [&] (int64_t x, int64_t y) {
    const auto parities = x % 2 * 2 + y % 2;
    kernel[static_cast<size_t> ((parities * n + x / 2) * n + y / 2)] = frequencies[y * 2 * n + x] * scale;
  });
}

void Plan::set_metric (const float *frequencies, int64_t begin, int64_t end)
{
  const auto scale = static_cast<float> (1 / static_cast<double> (n) / static_cast<double> (n));
  in_blocks (begin, end, n,
             [&] (int64_t x, int64_t y) { metric[static_cast<size_t> (x * n + y)] = frequencies[y * n + x] * scale; });
}

void Plan::set_circle (double radius, double shift)
{
  const auto square_at = [&] (int64_t i) {
    const auto distance = static_cast<double> (i - n / 2) + shift;
    return distance * distance;
  };
  for (int64_t y = 0; y < n; y++) {
    const auto inside = [&] (int64_t x) { return square_at (x) + square_at (y) < radius * radius; };
    int64_t begin = n / 2, end = n / 2; // the middle is inside if any pixel of the row is
    while (begin > 0 && inside (begin - 1))
      begin--;
    while (end < n && inside (end))
      end++;
    first[static_cast<size_t> (y)] = static_cast<int32_t> (begin);
    last[static_cast<size_t> (y)] = static_cast<int32_t> (end);
  }
}

size_t Plan::resident (int64_t size)
{
  const auto n = static_cast<size_t> (size);
  return LaneFft (size).resident () + (5 * n * n + 2 * n) * sizeof (float) + 2 * n * sizeof (int32_t);
}

Floats floats_of (int64_t size, kernels::VectorSet set)
{
  const auto floats = [&] (int64_t vectors) { return static_cast<size_t> (vectors * set.lanes); };
  // The two lines of a column; or a row of all lanes, and one of a single lane.
  return {.image = floats (size * size),
          .frequencies = floats (size * size),
          .sums = floats (4 * size),
          .work = floats (LaneFft (size).scratch () + 2 * size)};
}

void add_sums (const Plan &plan, const Memory &memory, double *first, double *second)
{
  const auto lanes = plan.vectors.lanes;
  std::fill_n (first, lanes, 0.0);
  std::fill_n (second, lanes, 0.0);
  const double *sums = memory.sums;
  for (int64_t row = 0; row < plan.n; row++, sums += 2 * static_cast<int64_t> (lanes))
    for (int lane = 0; lane < lanes; lane++) {
      first[lane] += sums[lane];
      second[lane] += sums[lanes + lane];
    }
}

} // namespace sino::iterate
