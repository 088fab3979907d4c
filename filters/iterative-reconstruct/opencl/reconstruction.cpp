// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/reconstruction.hpp"
#include "device/devices.hpp"
#include "filters/iterative-reconstruct/plan.hpp"
#include "filters/iterative-reconstruct/rows.hpp"

namespace sino::iterative_reconstruct {

namespace {

Lines lines_of (const OpenclDevice &device, const Reconstructing &how)
{
  return lines_for (how.plan->problem.size, device.facts (), how.setting).value ();
}

} // namespace

OpenclReconstruction::OpenclReconstruction (const Replica &replica, const Reconstructing &how)
    : device (as_opencl (replica.device)), plan (how.plan), lanes (how.lanes), batch (how.batch),
      watch{&replica.monitor, &replica.counters}, report (replica.messages, replica.counters, plan->problem),
      queues (device), start ({.device = device,
                               .monitor = replica.monitor,
                               .plan = plan->gridding,
                               .lanes = lanes,
                               .batches = batch.gridding,
                               .setting = gridding_setting (how.setting, batch.slices),
                               .memory = replica.memory},
                              queues, responses_of (plan->problem, plan->gridding->gridding, replica.cpu)),
      looks (device, queues, *plan, lines_of (device, how), lanes, replica.memory), uploads (queues, replica.memory),
      frames (queues, plan->problem.roi, plan->problem.roi, replica.memory), clock (queues, &replica.counters)
{
  const auto &problem = plan->problem;
  const auto lags = iterate::lags_of (problem.size, problem.rays, plan->gridding->gridding.padded, replica.cpu);
  images = std::make_unique<Images> (device, queues.kernels, *plan, lines_of (device, how), batch,
                                     plan_of (problem, lags, replica.cpu), replica.memory);
  progress = std::make_unique<Progress> (queues, *images, batch, report);
  solver = std::make_unique<DeviceSolver> (*plan, lags.middle (), replica.monitor, *images, *progress);
}

void OpenclReconstruction::memory (const OpenclDevice &device, const OpenclPlan &plan, int lanes, const Batch &batch,
                                   size_t input_reached, size_t output_reached, Bill &bill)
{
  const auto &problem = plan.problem;
  const auto size = static_cast<size_t> (problem.size);
  iterative_reconstruct::memory (device, plan, batch, lanes, bill);
  // In blocks with several groups, only the first group is used in place, without a copy.
  if (const auto bins = plan.bins (lanes); input_reached == 0 || input_reached >= 2 * bins)
    add_buffers (bill, Uploads::item, bins, Staging::slots);
  // Blocks of slices begin at any strength of a batch.
  const bool tries = problem.solving.tries ();
  slice::OpenclFrames::memory (problem.roi, problem.roi, tries ? batch.slices : lanes, tries ? 0 : output_reached,
                               bill);
  add_bytes (bill, "tiles of the grid", plan.gridding->tiles.bytes ());
  // On the host at first: T's lags, a half of them as complex values, and its frequencies; then what devices get.
  const auto responses = static_cast<size_t> (plan.gridding->gridding.padded / 2 + 1) * problem.rays.size ();
  add_bytes (bill, "making T", 44 * size * size + iterate::Plan::resident (problem.size) + responses * sizeof (float));
}

void OpenclReconstruction::look_at (const Format &sinograms, const std::vector<int64_t> &rows)
{
  noise = known_noise (plan->problem, sinograms, rows, watch);
  noise.resize (noise.empty () ? 0 : static_cast<size_t> (lanes)); // the padding's has no use
}

void OpenclReconstruction::run (const MemoryPiece &values, std::span<const MemoryPiece> slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto &bins = uploads.take (values, plan->bins (lanes));
    const auto &out = frames.take (slices, lanes);
    const auto count = static_cast<int> (slices.size ());
    looks.look (bins, noise);
    const auto &continued = looks.continued (bins);
    for (int lane = 0; lane < count; lane += batch.slices)
      solve (continued, out, lane, count);
    const auto computed = kernels_done (queues);
    uploads.until (computed);
    frames.finish (slices, computed);
  });
}

// Enqueues the start, before the noise is known, so that the device has work meanwhile. `used`: slices of the batch.
void OpenclReconstruction::begin (const cl::Buffer &bins, int lane, int slices, int used)
{
  marks = progress->next_marks ();
  images->clear_marks (marks);
  first = start.adjoint (bins, images->dense (), lane, slices).first;
  images->pack_data (used, marks);
  if (plan->problem.solving.method == Method::tv) {
    start.filtered (bins, images->dense (), lane, slices);
    images->pack_start (used, marks);
  }
  queues.kernels.flush ();
}

void OpenclReconstruction::solve (const cl::Buffer &bins, const cl::Buffer &out, int lane, int slices)
{
  const auto used = std::min (batch.slices, slices - lane);
  begin (bins, lane, slices, used);
  const auto known = std::make_shared<Lanes> (looks.known (lane, used));
  known->spread (plan->problem.solving.strengths);
  const auto iterations = solver->run (known);
  clock.add (first, images->unpack (lane, slices, marks, out));
  progress->end (iterations, known);
}

void OpenclReconstruction::solve_strengths (const MemoryPiece &values, int number)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const std::span all (plan->problem.solving.strengths);
    const auto some = all.subspan (static_cast<size_t> (number), std::min (static_cast<size_t> (batch.slices),
                                                                           all.size () - static_cast<size_t> (number)));
    const auto &bins = uploads.take (values, plan->bins (lanes));
    looks.look (bins, noise);
    begin (looks.continued (bins), 0, 1, static_cast<int> (some.size ()));
    uploads.until (kernels_done (queues));
    const auto known = std::make_shared<Lanes> (looks.known (0, 1));
    known->spread (some);
    const auto iterations = solver->run (known);
    const auto computed = kernels_done (queues);
    clock.add (first, computed);
    progress->end (iterations, known);
  });
}

void OpenclReconstruction::give (std::span<const MemoryPiece> slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto &out = frames.take (slices, batch.slices);
    images->unpack (0, static_cast<int> (slices.size ()), marks, out);
    frames.finish (slices, kernels_done (queues));
  });
}

void OpenclReconstruction::wait ()
{
  device.attempt ([&] { progress->wait (); });
  clock.wait ();
}

void OpenclReconstruction::end ()
{
  wait ();
  report.tell ();
}

} // namespace sino::iterative_reconstruct
