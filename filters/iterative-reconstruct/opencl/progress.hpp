// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows iterations in a queue: reads their sums when they have ended, and reports.
#pragma once
#include "device/opencl-queues.hpp"
#include "filters/iterative-reconstruct/opencl/images.hpp"
#include "filters/iterative-reconstruct/report.hpp"
#include <deque>

namespace sino::iterative_reconstruct {

// A sum of the last add_rows () for each slice.
using Sums = std::array<std::array<double, iterate::most_lanes>, sums_of_rows>;

class Progress
{
public:
  Progress (const OpenclQueues &queues, const Images &images, const Batch &batch, Report &report);

  // The slot for the next add_rows (), and that for the marks of the next batch. Waits until they are free.
  size_t next ();
  size_t next_marks ();

  // After add_rows () of an iteration of TV, with its number. `frozen`: slices that were finished before, as bits.
  void add (int count, const std::shared_ptr<Lanes> &lanes, uint32_t frozen);
  // After the last command of a batch.
  void end (int iterations, const std::shared_ptr<Lanes> &lanes);
  // Waits until at most `most` of these have not ended.
  void wait (size_t most = 0);

  // Waits for the last add_rows (), and reads its sums.
  Sums sums ();
  // Reports an iteration of CGLS.
  void step (int count, const Lanes &lanes) { report.step (count, {&lanes, 1}); }

private:
  struct Step {
    cl::Event ended;
    size_t slot;
    int count;
    std::shared_ptr<Lanes> lanes;
    uint32_t frozen;
    bool last; // of the batch; the slot is that of the marks
  };

  const OpenclQueues &queues;
  const cl::CommandQueue reading; // of a few bytes, which must not wait for slices in the queue of downloads
  const Images &images;
  const Batch batch;
  Report &report;
  std::deque<Step> steps;
  size_t slot = 0, marks = 0;

  Sums read (size_t slot) const;
  uint32_t broken (size_t slot) const;
  void finish (const Step &step);
};

} // namespace sino::iterative_reconstruct
