// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/plan.hpp"
#include "device/line-plan.hpp"
#include "device/opencl-fft.hpp"
#include "filters/slice/slices-at-once.hpp"
#include <algorithm>

namespace sino::fourier_reconstruct {

namespace {

constexpr int64_t at_once = 32 << 20; // bytes of lines: enough to fill a device, and about the size of its cache
constexpr int64_t value_bytes = 8;    // a complex number

// Size of batches that divide `all` into nearly equal parts of about `most` or less, in multiples of `unit`.
int64_t even_share (int64_t all, int64_t most, int64_t unit)
{
  const auto units = divide_up (all, unit), most_units = std::clamp<int64_t> (most / unit, 1, units);
  const auto batches = divide_up (units, most_units);
  return divide_up (units, batches) * unit;
}

} // namespace

OpenclPlan::OpenclPlan (const Job &j, std::optional<int64_t> most_terms)
    : rays (j.rays.begin (), j.rays.end ()), job (j), gridding (gridding_for (j)), tiles (gridding, rays, most_terms)
{
  job.rays = rays;
}

Transforms transforms_for (const OpenclFacts &facts, const OpenclPlan &plan, const families::Setting &setting)
{
  const auto own =
      setting["FFT"] == 1 && line_plan (plan.gridding.padded, facts) && line_plan (plan.gridding.grid, facts);
  return own ? Transforms::own : Transforms::clfft;
}

Batches::Batches (const OpenclPlan &plan, int n, Transforms t) : slices (n), transforms (t)
{
  const auto &gridding = plan.gridding;
  const int64_t pairs = slices / 2;
  const auto batch = [&] (int64_t length) { return std::min (at_once / (length * value_bytes), most_groups) / pairs; };
  rays = even_share (std::ssize (plan.job.rays), batch (gridding.padded), 1);
  columns = even_share (gridding.grid, batch (gridding.grid), tile_side);
  const auto bytes = [&] (int64_t values) { return static_cast<size_t> (values * pairs * value_bytes); };
  lines = bytes (std::max (rays * gridding.padded, columns * gridding.grid));
  terms = bytes (std::ssize (plan.job.rays) * plan.terms ()) / (plan.job.halves ? 2 : 1);
  cropped = bytes (gridding.grid * plan.job.roi.height);
}

static size_t clfft_scratch (const OpenclDevice &device, const Gridding &gridding, const Batches &batches)
{
  const auto scratch = [&] (int64_t length, int64_t lines) {
    return OpenclFft::scratch_of_row (device, length) * static_cast<size_t> (lines * batches.slices / 2);
  };
  return std::max (scratch (gridding.padded, batches.rays), scratch (gridding.grid, batches.columns));
}

void memory (const OpenclDevice &device, const OpenclPlan &plan, const Batches &batches, Bill &bill)
{
  const auto &gridding = plan.gridding;
  add_buffers (bill, buffers::lines, batches.lines);
  if (batches.transforms == Transforms::clfft)
    add_buffers (bill, buffers::scratch, clfft_scratch (device, gridding, batches));
  else
    for (const auto &[item, length] :
         {std::pair{buffers::row_turns, gridding.padded}, {buffers::grid_turns, gridding.grid}})
      add_buffers (bill, item, static_cast<size_t> (length) * 2 * sizeof (float));
  add_buffers (bill, buffers::terms, batches.terms);
  add_buffers (bill, buffers::largest, static_cast<size_t> (batches.slices / 2) * sizeof (int32_t));
  add_buffers (bill, buffers::scales, static_cast<size_t> (batches.slices) * sizeof (float));
  add_buffers (bill, buffers::cropped, batches.cropped);
  add_buffers (bill, buffers::rays, plan.job.rays.size () * sizeof (DeviceRay));
  add_buffers (bill, buffers::tiles, plan.tiles.tiles.size () * sizeof (Tile));
  add_buffers (bill, buffers::pieces, std::max<size_t> (plan.tiles.pieces.size (), 1) * sizeof (Piece));
  add_buffers (bill, buffers::phi, gridding.phi.coefficients ().size () * sizeof (float));
  add_buffers (bill, buffers::response, static_cast<size_t> (gridding.padded / 2 + 1) * sizeof (float));
  add_buffers (bill, buffers::correction, gridding.correction.size () * sizeof (float));
  add_buffers (bill, buffers::broken, static_cast<size_t> (batches.slices) * sizeof (int32_t));
}

int slices_at_once (const OpenclDevice &device, const OpenclPlan &plan, int most, Transforms transforms)
{
  return slice::slices_at_once (device, std::clamp (most, 2, 16), 0.125, [&] (int slices) {
    Bill bill;
    memory (device, plan, Batches (plan, slices, transforms), bill);
    return bill;
  });
}

} // namespace sino::fourier_reconstruct
