// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/progress.hpp"
#include "filters/iterative-reconstruct/change.hpp"

namespace sino::iterative_reconstruct {

Progress::Progress (const OpenclQueues &q, const Images &i, const Batch &b, Report &r)
    : queues (q), reading (q.device.context (), q.device.device), images (i), batch (b), report (r)
{
}

size_t Progress::next ()
{
  wait (most_iterations);
  return slot = (slot + 1) % slots;
}

size_t Progress::next_marks ()
{
  wait (most_iterations);
  return marks = (marks + 1) % slots;
}

void Progress::add (int count, const std::shared_ptr<Lanes> &lanes, uint32_t frozen)
{
  steps.push_back (
      {.ended = kernels_done (queues), .slot = slot, .count = count, .lanes = lanes, .frozen = frozen, .last = false});
}

void Progress::end (int iterations, const std::shared_ptr<Lanes> &lanes)
{
  steps.push_back (
      {.ended = kernels_done (queues), .slot = marks, .count = iterations, .lanes = lanes, .frozen = 0, .last = true});
}

void Progress::wait (size_t most)
{
  while (steps.size () > most) {
    const auto step = steps.front ();
    steps.pop_front ();
    wait_for (step.ended);
    finish (step);
  }
}

Sums Progress::sums ()
{
  wait_for (kernels_done (queues));
  return read (slot);
}

void Progress::finish (const Step &step)
{
  auto &lanes = *step.lanes;
  if (step.last)
    return report.add (lanes, step.count, broken (step.slot));
  const auto [energy, change, norm] = read (step.slot);
  for (size_t i = 0; i < static_cast<size_t> (lanes.used); i++)
    if (!(step.frozen >> i & 1)) {
      lanes.difference[i] = energy[i] + lanes.square[i];
      lanes.change[i] = share_of (change[i], norm[i]);
    }
  report.step (step.count, {&lanes, 1});
}

Sums Progress::read (size_t from) const
{
  struct Total {
    float sum[2], lost[2];
  };
  const auto pairs = static_cast<size_t> (batch.pairs ());
  std::vector<Total> totals (sums_of_rows * pairs);
  reading.enqueueReadBuffer (images.totals (from), CL_TRUE, 0, totals.size () * sizeof (Total), totals.data ());
  Sums sums{};
  for (size_t sum = 0; sum < sums_of_rows; sum++)
    for (size_t lane = 0; lane < 2 * pairs; lane++) {
      const auto &total = totals[sum * pairs + lane / 2];
      sums[sum][lane] = static_cast<double> (total.sum[lane % 2]) + static_cast<double> (total.lost[lane % 2]);
    }
  return sums;
}

uint32_t Progress::broken (size_t from) const
{
  std::vector<cl_int> values (static_cast<size_t> (batch.slices));
  reading.enqueueReadBuffer (images.broken (from), CL_TRUE, 0, values.size () * sizeof (cl_int), values.data ());
  uint32_t bits = 0;
  for (size_t i = 0; i < values.size (); i++)
    bits |= (values[i] ? 1U : 0U) << i;
  return bits;
}

} // namespace sino::iterative_reconstruct
