// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/back-project/native/stack.hpp"
#include "base/divide-up.hpp"
#include "base/text.hpp"
#include "kernels/back-project/native/half.hpp"
#include "kernels/back-project/native/hold.hpp"
#include "kernels/back-project/native/tile.hpp"
#include <algorithm>
#include <bit>
#include <cmath>

namespace sino::back_project {

TileGrid::TileGrid (const Roi &roi)
    : first_column (roi.x / tile_size), first_row (roi.y / tile_size),
      columns (divide_up (roi.x + roi.width, tile_size) - first_column),
      rows (divide_up (roi.y + roi.height, tile_size) - first_row)
{
}

// Why job.precision = half is not possible, or "".
static const char *not_in_half (const Job &job)
{
  if (!has_half_arithmetic ())
    return "this CPU has no half arithmetic";
  if (job.lanes != half_lanes)
    return "half arithmetic wants 32 lanes";
  return job.interpolation == Interpolation::linear ? "" : "half arithmetic wants interpolation=linear";
}

Holding holding (const Job &job)
{
  Holding how{.sample = Sample::floats,
              .lanes = job.lanes,
              .fine = job.interpolation == Interpolation::oversample ? oversampling : 1,
              .halved = false,
              .weighted = false,
              .scaled = false};
  if (job.precision == Precision::single || job.lanes == 1) // a single slice would not be faster
    return how;
  if (job.precision == Precision::int16)
    how.sample = Sample::pairs;
  else if (job.precision == Precision::half && *not_in_half (job) == '\0')
    how.sample = Sample::differences;
  else if (job.half && how.fine == 1)
    return how;
  how.halved = how.sample == Sample::floats;
  how.weighted = !how.halved;
  how.scaled = true;
  return how;
}

std::string describe (const Job &job)
{
  const auto how = holding (job);
  std::string out;
  switch (how.sample) {
  case Sample::floats:
    out = how.halved ? "halves added in single precision" : "single precision";
    break;
  case Sample::pairs:
    out = "16-bit integers";
    break;
  case Sample::differences:
    out = "halves added in half precision (AVX512-FP16)";
    break;
  }
  if (how.fine > 1)
    out += text (", %d points per column", how.fine);
  if (job.lanes == 1 && job.precision != Precision::single)
    out += ": always for a single slice";
  else if (job.precision == Precision::half && *not_in_half (job) != '\0')
    out += std::string (": ") + not_in_half (job);
  return out;
}

size_t scratch_size (const Job &job)
{
  return tile_memory (holding (job));
}

size_t stack_size (const Job &job)
{
  return holding (job).scaled ? job.rays.size () * static_cast<size_t> (job.lanes) * sizeof (Peak) : 0;
}

StackProjector::StackProjector (const Job &j) : job (j), how (holding (j))
{
  factor.fill (1);
  if (how.scaled)
    peaks.resize (stack_size (job) / sizeof (Peak));
}

void StackProjector::measure (const void *bins, size_t begin, size_t end)
{
  const auto lanes = static_cast<size_t> (job.lanes);
  for (size_t k = begin; k < end; k++) {
    std::array<float, most_lanes> largest, change;
    const auto at = k * static_cast<size_t> (job.size) * lanes * (job.half ? 2 : 4);
    measure_ray ({.bins = static_cast<const std::byte *> (bins) + at,
                  .half = job.half,
                  .stride = job.lanes,
                  .lanes = job.lanes,
                  .size = job.size},
                 largest.data (), change.data ());
    const float weight = how.weighted ? std::abs (job.rays[k].weight) : 1;
    for (size_t lane = 0; lane < lanes; lane++)
      peaks[k * lanes + lane] = {weight * largest[lane], weight * weight * change[lane]};
  }
}

void StackProjector::settle ()
{
  constexpr float least = 1e-30f; // smaller values count as 0, because their factor would be infinite
  const auto lanes = static_cast<size_t> (job.lanes);
  const auto n = static_cast<double> (job.rays.size ());
  const auto whole = static_cast<double> (pair_weight);
  for (size_t lane = 0; lane < lanes; lane++) {
    float largest = 0;
    double change = 0;
    for (size_t i = lane; i < peaks.size (); i += lanes) {
      largest = std::max (largest, peaks[i].largest);
      change += static_cast<double> (peaks[i].change);
    }
    if (how.sample == Sample::pairs) {
      if (!std::isfinite (change)) { // integers cannot represent infinity or NaN
        factor[lane] = 0;
        scale[lane] = NAN;
        error[lane] = INFINITY;
        continue;
      }
      factor[lane] = 32700 / std::max (largest, least);
      scale[lane] = static_cast<float> (1 / (static_cast<double> (factor[lane]) * whole));
      // The rounding error of values is uniform up to half a unit; interpolation reduces its square to two thirds.
      // Weights have errors of up to half a unit, too.
      const double value = largest > 0 ? n / (18 * std::pow (static_cast<double> (factor[lane]), 2)) : 0;
      const double weight = change / static_cast<double> (job.size) / (12 * whole * whole);
      error[lane] = value + (job.interpolation == Interpolation::linear ? weight : 0);
    } else if (how.sample == Sample::differences) { // the sums of a batch must stay below the largest half, 65504
      factor[lane] = 64 / std::max (largest, least);
      scale[lane] = 1 / factor[lane];
    } else {
      factor[lane] = std::exp2 (14.0f - std::ceil (std::log2 (std::max (largest, least))));
      scale[lane] = 1 / factor[lane];
    }
  }
}

// Number of lanes to compute: an incomplete last group needs fewer. At least two, because the loop for a single slice
// adds in another order.
static int lanes_for (const Holding &how, size_t slices)
{
  if (how.lanes == 1 || how.sample == Sample::differences)
    return how.lanes;
  return std::clamp (static_cast<int> (std::bit_ceil (slices)), 2, how.lanes);
}

void StackProjector::tile (const void *bins, int64_t x, int64_t y, std::span<float *const> slices,
                           std::byte *scratch) const
{
  auto held = how;
  held.lanes = lanes_for (how, slices.size ());
  add_tile ({.x = x, .y = y, .roi = job.roi, .size = job.size, .mask = job.mask},
            {.bins = bins,
             .half = job.half,
             .lanes = job.lanes,
             .rays = job.rays,
             .factor = how.scaled ? factor.data () : nullptr,
             .scale = how.scaled ? scale.data () : nullptr},
            held, job.interpolation != Interpolation::linear, slices, scratch);
}

} // namespace sino::back_project
