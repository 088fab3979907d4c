// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/native/stack.hpp"
#include "back-project/native/cell.hpp"
#include "back-project/native/half.hpp"
#include "back-project/native/hold.hpp"
#include "back-project/native/tile.hpp"
#include <algorithm>
#include <cmath>

namespace sino::back_project {

TileGrid::TileGrid (const Roi &roi)
    : first_column (roi.x / tile_size), first_row (roi.y / tile_size),
      columns ((roi.x + roi.width + tile_size - 1) / tile_size - first_column),
      rows ((roi.y + roi.height + tile_size - 1) / tile_size - first_row)
{
}

RayTable::RayTable (std::span<const Ray> rays, int f, bool weighted) : count (rays.size ()), fine (f)
{
  constexpr size_t vector = 16;
  const auto n = (count + vector) / vector * vector + vector;
  for (auto *column : {&cos, &sin, &origin, &reach})
    column->resize (n);
  weight.resize (n);
  for (size_t k = 0; k < count; k++) {
    const auto &ray = rays[k];
    cos[k] = fine * ray.cos;
    sin[k] = fine * ray.sin;
    origin[k] = fine * ray.origin;
    reach[k] = cell_middle * (std::abs (cos[k]) + std::abs (sin[k]));
    weight[k] = weighted ? 1 : ray.weight;
  }
}

Holding holding (const Job &job)
{
  const int fine = job.interpolation == Interpolation::oversample ? oversampling : 1;
  const auto given = job.half ? Sample::halves : Sample::floats;
  // A single slice would gain nothing.
  if (job.precision == Precision::single || job.lanes == 1)
    return {fine > 1 ? Sample::floats : given, fine, fine == 1, false, false};
  if (job.precision == Precision::int16)
    return {Sample::pairs, fine, false, true, true};
  if (job.precision == Precision::half && job.lanes == half_lanes && job.interpolation == Interpolation::linear &&
      has_half_arithmetic ())
    return {Sample::differences, fine, false, true, true};
  return {Sample::halves, fine, job.half && fine == 1, false, !job.half};
}

namespace {

Bins layout (const Job &job, const Holding &how)
{
  Bins bins{nullptr, how.sample, job.lanes, how.fine, 0, job.size};
  if (how.fine > 1) { // also between the outermost bins and the zeros around them
    bins.first = 1 - how.fine;
    bins.count = job.size * how.fine + how.fine - 1;
  } else if (how.sample == Sample::pairs ||
             how.sample == Sample::differences) { // the zero before the first bin has that for its neighbour
    bins.first = -1;
    bins.count = job.size + 1;
  }
  return bins;
}

size_t ray_bytes (const Bins &bins)
{
  return static_cast<size_t> (bins.count) * bins.bytes ();
}

} // namespace

size_t held_size (const Job &job)
{
  const auto how = holding (job);
  return how.as_is ? 0 : job.rays.size () * ray_bytes (layout (job, how));
}

size_t scratch_size (const Job &job)
{
  return tile_memory (job.lanes, holding (job).fine);
}

Stack::Stack (const Job &j, std::byte *memory)
    : job (j), how (holding (j)), rays (j.rays, how.fine, how.weighted), held (memory)
{
  factor.fill (1);
  if (how.scaled)
    peaks.resize (job.rays.size () * static_cast<size_t> (job.lanes));
}

Bins Stack::bins_of (const void *bins) const
{
  Bins out = layout (job, how);
  out.data = how.as_is ? static_cast<const std::byte *> (bins) : held;
  return out;
}

static RawRay raw_ray (const Job &job, const void *bins, size_t k)
{
  const auto values = static_cast<size_t> (job.size) * static_cast<size_t> (job.lanes);
  return {static_cast<const std::byte *> (bins) + k * values * (job.half ? 2 : 4), job.half, job.lanes, job.size};
}

void Stack::measure (const void *bins, size_t begin, size_t end)
{
  const auto lanes = static_cast<size_t> (job.lanes);
  for (size_t k = begin; k < end; k++) {
    std::array<float, most_lanes> largest, change;
    measure_ray (raw_ray (job, bins, k), largest.data (), change.data ());
    const float weight = how.weighted ? std::abs (job.rays[k].weight) : 1;
    for (size_t lane = 0; lane < lanes; lane++)
      peaks[k * lanes + lane] = {weight * largest[lane], weight * weight * change[lane]};
  }
}

void Stack::settle ()
{
  constexpr float least = 1e-30f; // what is smaller is as good as 0, and its factor would be infinite
  const auto lanes = static_cast<size_t> (job.lanes);
  const auto n = static_cast<double> (job.rays.size ());
  const auto whole = static_cast<double> (pair_weight (job.lanes));
  for (size_t lane = 0; lane < lanes; lane++) {
    float largest = 0;
    double change = 0;
    for (size_t i = lane; i < peaks.size (); i += lanes) {
      largest = std::max (largest, peaks[i].largest);
      change += static_cast<double> (peaks[i].change);
    }
    const bool finite = std::isfinite (largest) && std::isfinite (change);
    if (how.sample == Sample::pairs) {
      if (!finite) { // integers know no infinity
        factor[lane] = 0;
        scale[lane] = NAN;
        error[lane] = INFINITY;
        continue;
      }
      factor[lane] = 32700 / std::max (largest, least);
      scale[lane] = static_cast<float> (1 / (static_cast<double> (factor[lane]) * whole));
      // Rounding errs by up to half a unit, evenly spread, of which interpolation leaves two thirds; weights err by up
      // to half a unit, too.
      const double value = n / (18 * std::pow (static_cast<double> (factor[lane]), 2));
      const double weight = change / static_cast<double> (job.size) / (12 * whole * whole);
      error[lane] = value + (job.interpolation == Interpolation::linear ? weight : 0);
    } else if (how.sample == Sample::differences) { // the sums of a batch stay below the largest half, 65504
      factor[lane] = finite ? 64 / std::max (largest, least) : 1;
      scale[lane] = 1 / factor[lane];
    } else {
      factor[lane] = finite ? std::exp2 (14.0f - std::ceil (std::log2 (std::max (largest, least)))) : 1;
      scale[lane] = 1 / factor[lane];
    }
  }
}

void Stack::hold (const void *bins, size_t begin, size_t end) const
{
  const Bins out = bins_of (bins);
  for (size_t k = begin; k < end; k++) {
    auto factors = factor;
    if (how.weighted)
      for (auto &f : factors)
        f *= job.rays[k].weight;
    hold_ray (raw_ray (job, bins, k), factors.data (), out, held + k * ray_bytes (out));
  }
}

void Stack::tile (const void *bins, int64_t x, int64_t y, std::span<float *const> slices, std::byte *scratch) const
{
  const bool nearest = job.interpolation != Interpolation::linear;
  add_tile ({x, y, job.roi, job.size, job.mask}, bins_of (bins), rays, nearest, how.scaled ? scale.data () : nullptr,
            slices, scratch);
}

double Stack::rounding_error (int lane) const
{
  return error[static_cast<size_t> (lane)];
}

} // namespace sino::back_project
