// SPDX-License-Identifier: LGPL-3.0-or-later
#include "fourier-reconstruct/opencl/reconstruction.hpp"

namespace sino::fourier {

namespace {

constexpr size_t most_steps = 4;                 // in the queue at once, so that a cancelled run ends soon
constexpr int64_t most_terms = int64_t{1} << 22; // of tiles in a launch: below 0.2 s on slow devices of 2015

// Calls take (part) for all of [0, n), `most` at once.
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

OpenclReconstruction::OpenclReconstruction (const OpenclDevice &d, const Monitor &m,
                                            const std::shared_ptr<const OpenclPlan> &p, const Gridding &gridding, int l,
                                            int together)
    : OpenclReconstruction (d, m, p, gridding, l, Batches (*p, together),
                            line_transforms (d, *p, Batches (*p, together)))
{
}

OpenclReconstruction::OpenclReconstruction (const OpenclDevice &d, const Monitor &m,
                                            const std::shared_ptr<const OpenclPlan> &p, const Gridding &gridding, int l,
                                            const Batches &b, std::unique_ptr<LineTransforms> t)
    : device (d), monitor (m), plan (p), lanes (l), batches (b), stages (d, *plan, gridding, b, l),
      transforms (std::move (t)), uploads (d), frames (d, plan->job.roi, plan->job.roi)
{
}

size_t OpenclReconstruction::memory (const OpenclPlan &plan, int lanes, int together, size_t input_reached,
                                     size_t output_reached)
{
  const auto bins = bins_bytes (plan, lanes);
  // Of blocks with several groups the first one alone is used where it lies.
  const bool in = input_reached > 0 && input_reached < 2 * bins;
  return Batches (plan, together).memory (plan) + (in ? 0 : 2 * bins) +
         OpenclFrames::memory (plan.job.roi, plan.job.roi, lanes, output_reached);
}

void OpenclReconstruction::run (const Place &values, std::span<const Place> slices)
{
  const IdleAfterFailure guard (device);
  device.attempt ([&] {
    const auto &bins = uploads.take (values, bins_bytes (*plan, lanes));
    const auto &out = frames.take (slices, lanes);
    const auto count = static_cast<int> (slices.size ());
    for (int lane = 0; lane < count; lane += batches.together)
      groups.push_back (reconstruct (bins, out, lane, count));
    const auto computed = kernels_done (device);
    uploads.until (computed);
    frames.finish (slices, computed);
  });
}

OpenclReconstruction::Group OpenclReconstruction::reconstruct (const cl::Buffer &bins, const cl::Buffer &out, int lane,
                                                               int slices)
{
  Group group;
  stages.clear ();
  in_parts (std::ssize (plan->job.rays), batches.rays, [&] (const Part &rays) {
    const auto event = stages.lay (bins, lane, slices, rays);
    if (rays.first == 0)
      group.first = event;
    transforms->rows (stages.lines ());
    stages.weigh (rays);
    step ();
  });
  in_parts (plan->gridding.grid, batches.columns, [&] (const Part &columns) {
    spread (columns);
    transforms->grid (stages.lines ());
    stages.crop (columns);
    step ();
  });
  in_parts (plan->job.roi.height, batches.columns, [&] (const Part &rows) {
    stages.gather (rows);
    transforms->grid (stages.lines ());
    group.last = stages.store (rows, lane, slices, out);
    step ();
  });
  return group;
}

// The tiles of some columns, in short launches.
void OpenclReconstruction::spread (const Part &columns)
{
  const auto &all = plan->tiles;
  const auto column = static_cast<size_t> (columns.first / tile_side);
  const auto end_column = column + static_cast<size_t> ((columns.count + tile_side - 1) / tile_side);
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
  queued.push_back (kernels_done (device));
  if (queued.size () > most_steps) {
    wait_for (queued.front ());
    queued.pop_front ();
  }
}

void OpenclReconstruction::look_at_oldest ()
{
  const auto [first, last] = groups.front ();
  groups.pop_front ();
  last.wait ();
  const auto begin = first.getProfilingInfo<CL_PROFILING_COMMAND_START> (),
             end = last.getProfilingInfo<CL_PROFILING_COMMAND_END> ();
  busy += end > begin ? 1e-9 * static_cast<double> (end - begin) : 0;
}

double OpenclReconstruction::seconds ()
{
  device.attempt ([this] {
    while (!groups.empty () && groups.front ().last.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS> () == CL_COMPLETE)
      look_at_oldest ();
  });
  return busy;
}

void OpenclReconstruction::end ()
{
  device.attempt ([this] {
    while (!groups.empty ())
      look_at_oldest ();
  });
}

} // namespace sino::fourier
