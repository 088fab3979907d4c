// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/reconstruct/estimate.hpp"
#include "base/divide-up.hpp"
#include <algorithm>
#include <bit>
#include <cmath>

namespace sino::reconstruct {

namespace {

// Measured on two threads of an AMD EPYC (Zen 4, AVX-512), with stacks of 32 slices. To measure again: `sinograph bench
// back-project`, `bench ramp-filter` and `bench fourier-reconstruct`, each with --size 2048.
constexpr int measured_threads = 2, measured_vector = 64;
constexpr double measured_columns = 2048, measured_projections = 2048, measured_width = 4;

constexpr double updates = 29e9;      // back-projection updates per second: float, linear, 32 slices at once
constexpr double filtered = 207e3;    // rows filtered per second
constexpr double row_stage = 3.4e-3;  // seconds per slice of gridding for transforms of rows
constexpr double spreading = 4.1e-3;  // the same for spreading over the grid
constexpr double grid_stage = 4e-3;   // the same for transforms of the grid
constexpr double crop_stage = 1.4e-3; // the same for separating lanes into slices

// Factor by which these measurements would take longer on this machine.
double slower (const Machine &machine)
{
  return static_cast<double> (measured_threads) / machine.threads * measured_vector / machine.vector_bytes;
}

double length (double columns)
{
  return columns * std::log2 (std::max (columns, 2.0));
}

// Number of slices computed: an incomplete last group is filled up to a power of two, at least two.
double computed_slices (int64_t slices)
{
  constexpr int64_t group = 32;
  const auto rest = static_cast<uint64_t> (slices % group);
  const auto last = rest ? std::max<uint64_t> (std::bit_ceil (rest), 2) : 0;
  return static_cast<double> (slices / group * group) + static_cast<double> (last);
}

// Gridding on a GPU, measured on an H100 (132 units at 1.98 GHz, 3.35 TB/s) with `bench-fourier-opencl 0 2048 16`:
// cycles of a unit per term and cell that it is spread to, additional cycles for each slice, and launch times in
// seconds.
constexpr double spread_cycles = 2.56, spread_slice_cycles = 0.344, launching = 0.5e-3;
constexpr int64_t most_at_once = 16;
constexpr double filter_passes = 10; // passes over padded rows that take as long as the filter did when measured

double gridding_on_gpu (const Work &work, const Gpu &gpu)
{
  const auto columns = static_cast<double> (work.columns), projections = static_cast<double> (work.projections);
  const double padded = 2 * columns, grid = 1.25 * columns;
  // Values per slice that the stages read and write, except in spreading.
  const double rows = projections * (columns + 5 * padded), lines = 2 * grid * grid + 4 * grid * columns + work.pixels;
  const double taps = projections * padded * work.kernel_width * work.kernel_width;
  double seconds = launching;
  for (int64_t left = work.slices; left > 0; left -= most_at_once) {
    const auto wanted = static_cast<uint64_t> (std::min (left, most_at_once));
    const auto slices = static_cast<double> (std::max<uint64_t> (std::bit_ceil (wanted), 2));
    seconds +=
        4 * slices * (rows + lines) / gpu.bytes + taps * (spread_cycles + slices * spread_slice_cycles) / gpu.cycles;
  }
  return seconds;
}

} // namespace

double filter_seconds (const Work &work, const Machine &machine)
{
  const auto rows = static_cast<double> (work.slices) * static_cast<double> (work.projections);
  const auto columns = static_cast<double> (work.columns);
  if (machine.gpu.bytes > 0)
    return launching + rows * 2 * columns * 4 * filter_passes / machine.gpu.bytes;
  return rows / filtered * length (columns) / length (measured_columns) * slower (machine);
}

double back_projection_seconds (const Work &work, const Machine &machine)
{
  const double all = work.pixels * static_cast<double> (work.projections);
  if (machine.direct_updates > 0)
    return all * static_cast<double> (work.slices) / machine.direct_updates;
  return all * computed_slices (work.slices) / updates * slower (machine);
}

double direct_seconds (const Work &work, const Machine &machine)
{
  return filter_seconds (work, machine) + back_projection_seconds (work, machine);
}

// Slices that gridding computes on a CPU: an incomplete group costs as much as a full one.
static double gridded_slices (const Work &work, const Machine &machine)
{
  return static_cast<double> (round_up<int64_t> (work.slices, std::max (machine.vector_bytes / 4, 1)));
}

double spreading_seconds (const Work &work, const Machine &machine)
{
  const auto columns = static_cast<double> (work.columns);
  const double rows = static_cast<double> (work.projections) / measured_projections;
  const double per_projection =
      row_stage * length (columns) / length (measured_columns) +
      spreading * columns / measured_columns * std::pow (work.kernel_width / measured_width, 2);
  return gridded_slices (work, machine) * rows * per_projection * slower (machine);
}

double fourier_seconds (const Work &work, const Machine &machine)
{
  if (machine.gpu.cycles > 0)
    return gridding_on_gpu (work, machine.gpu);
  const auto columns = static_cast<double> (work.columns);
  const double grid = grid_stage * columns / measured_columns * length (columns) / length (measured_columns);
  const double crop = crop_stage * work.pixels / (measured_columns * measured_columns);
  const double after = gridded_slices (work, machine) * grid + static_cast<double> (work.slices) * crop;
  return spreading_seconds (work, machine) + after * slower (machine);
}

} // namespace sino::reconstruct
