// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/gridder.hpp"

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

} // namespace

Gridder::Gridder (const Reconstructing &how, const OpenclQueues &q, const Gridding &gridding,
                  std::unique_ptr<LineTransforms> t)
    : monitor (how.monitor), plan (how.plan), batches (how.batches), queues (q),
      stages (how.device, q.kernels, *plan, gridding, batches, how.setting, how.lanes, how.memory),
      transforms (t ? std::move (t) : line_transforms (how.device, *plan, batches, how.memory))
{
}

Gridder::Span Gridder::run (const cl::Buffer &bins, const cl::Buffer &out, int lane, int slices, int place)
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
    last = transforms->slices (stages, rows, place, slices - lane + place, out);
    step ();
  });
  return {first, last};
}

// Spreads the tiles of some columns, in short launches.
void Gridder::spread (const Part &columns)
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

void Gridder::step ()
{
  monitor.check ();
  queued.push_back (kernels_done (queues));
  if (queued.size () > most_steps) {
    wait_for (queued.front ());
    queued.pop_front ();
  }
}

} // namespace sino::fourier_reconstruct
