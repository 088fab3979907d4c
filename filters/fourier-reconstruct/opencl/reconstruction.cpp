// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/reconstruction.hpp"

namespace sino::fourier_reconstruct {

namespace {

constexpr size_t most_steps = 4;                 // in the queue at once; few, so that a cancelled run ends soon
constexpr int64_t most_terms = int64_t{1} << 22; // terms per launch: less than 0.2 s on slow devices of 2015

// Calls take (part) for parts of [0, n), at most `most` long.
template <class Take> void in_parts (int64_t n, int64_t most, Take take)
{
  for (int64_t first = 0; first < n; first += most)
    take (Part{first, std::min (most, n - first)});
}

size_t bins_bytes (const OpenclPlan &plan, int lanes)
{
  return static_cast<size_t> (lanes) * plan.job.rays.size () * static_cast<size_t> (plan.job.size) * sizeof (float);
}

} // namespace

OpenclReconstruction::OpenclReconstruction (const Reconstructing &how, const Gridding &gridding,
                                            std::unique_ptr<LineTransforms> t)
    : device (how.device), monitor (how.monitor), plan (how.plan), lanes (how.lanes), batches (how.batches),
      queues (device), stages (device, queues.kernels, *plan, gridding, batches, how.setting, lanes, how.memory),
      transforms (t ? std::move (t) : line_transforms (device, *plan, batches, how.memory)),
      uploads (queues, how.memory), frames (queues, plan->job.roi, plan->job.roi, how.memory),
      clock (queues, how.counters)
{
}

void OpenclReconstruction::memory (const OpenclDevice &device, const OpenclPlan &plan, int lanes,
                                   const Batches &batches, size_t input_reached, size_t output_reached, Bill &bill)
{
  fourier_reconstruct::memory (device, plan, batches, bill);
  // In blocks with several groups, only the first group is used in place, without a copy.
  if (const auto bins = bins_bytes (plan, lanes); input_reached == 0 || input_reached >= 2 * bins)
    add_buffers (bill, Uploads::item, bins, Staging::slots);
  slice::OpenclFrames::memory (plan.job.roi, plan.job.roi, lanes, output_reached, bill);
}

void OpenclReconstruction::run (const MemoryPiece &values, std::span<const MemoryPiece> slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto &bins = uploads.take (values, bins_bytes (*plan, lanes));
    const auto &out = frames.take (slices, lanes);
    const auto count = static_cast<int> (slices.size ());
    for (int lane = 0; lane < count; lane += batches.slices)
      reconstruct (bins, out, lane, count);
    const auto computed = kernels_done (queues);
    uploads.until (computed);
    frames.finish (slices, computed);
  });
}

void OpenclReconstruction::reconstruct (const cl::Buffer &bins, const cl::Buffer &out, int lane, int slices)
{
  cl::Event first, last;
  stages.clear ();
  if (plan->job.halves)
    stages.scale (bins, lane, slices);
  in_parts (std::ssize (plan->job.rays), batches.rays, [&] (const Part &rays) {
    const auto event = stages.lay (bins, lane, slices, rays);
    if (rays.first == 0)
      first = event;
    transforms->rows (queues.kernels, stages.lines ());
    stages.weigh (rays);
    step ();
  });
  in_parts (plan->gridding.grid, batches.columns, [&] (const Part &columns) {
    spread (columns);
    transforms->columns (stages, columns);
    step ();
  });
  in_parts (plan->job.roi.height, batches.columns, [&] (const Part &rows) {
    stages.gather (rows);
    last = transforms->slices (stages, rows, lane, slices, out);
    step ();
  });
  clock.add (first, last);
}

// Spreads the tiles of some columns, in short launches.
void OpenclReconstruction::spread (const Part &columns)
{
  const auto &all = plan->tiles;
  const auto column = static_cast<size_t> (columns.first / tile_side);
  const auto end_column = column + static_cast<size_t> (divide_up (columns.count, tile_side));
  const auto end = all.column[end_column];
  for (auto first = all.column[column]; first < end;) {
    auto tile = first;
    for (int64_t terms = 0; tile < end && terms < most_terms; tile++)
      terms += all.tiles[tile].terms;
    stages.spread ({static_cast<int64_t> (first), static_cast<int64_t> (tile - first)}, columns.first);
    first = tile;
    if (first < end)
      step ();
  }
}

void OpenclReconstruction::step ()
{
  monitor.check ();
  queued.push_back (kernels_done (queues));
  if (queued.size () > most_steps) {
    wait_for (queued.front ());
    queued.pop_front ();
  }
}

} // namespace sino::fourier_reconstruct
