// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/single-slice/plan.hpp"

namespace sino::single_slice {

RowPlan::RowPlan (int64_t c, int64_t p, bool e)
    : columns (c), padded (p), edge (e), fft (padded / 2), half_turns (fourier_reconstruct::half_turns (padded / 2))
{
}

int64_t RowPlan::work (int lanes) const
{
  return (fft.scratch () + columns + padded) * lanes;
}

// An odd number of cache lines puts columns into different cache sets.
static int64_t stride_for (int64_t columns)
{
  return line_unit * (divide_up (columns, line_unit) | 1);
}

Grid::Grid (int64_t s)
    : size (s), fft (fourier_reconstruct::grid_for (s, oversampling)), stride (stride_for (columns ()))
{
}

// Lines of all lanes, the pixels that they become, and a row that nobody wants.
int64_t Grid::work (int lanes) const
{
  return (fft.scratch () + fft.n + size) * lanes + size;
}

LevelPlan::LevelPlan (int64_t columns, int64_t padded, int level)
    : step (int64_t{1} << level), grid (divide_up (columns, step)),
      gridding (grid.size, padded / step, grid.fft.n, width),
      shift (static_cast<double> (grid.size / 2) + 0.5 - static_cast<double> (columns) / static_cast<double> (2 * step))
{
}

} // namespace sino::single_slice
