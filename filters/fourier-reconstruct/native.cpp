// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/native.hpp"
#include "device/pages-ahead.hpp"
#include "filters/borders/watch.hpp"
#include "filters/fourier-reconstruct/ahead.hpp"
#include "filters/slice/worker.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include <algorithm>

namespace sino::fourier_reconstruct {

namespace {

class NativeWorker final : public slice::SliceWorker
{
public:
  NativeWorker (const Replica &replica, const Job &job, int n, int64_t rows_ahead)
      : cpu (replica.cpu), monitor (replica.monitor), watch (replica.messages, !job.edge), stack (job), at_once (n),
        reconstructor (stack, replica.memory), underway (cpu, monitor, replica.failed, n)
  {
    stack.gridding.set_filter (job.filter, [&] (int64_t n, const auto &body) { cpu.parallel (n, 64, body); });
    if (rows_ahead > 0)
      ahead.emplace (replica, stack, reconstructor, rows_ahead);
  }

  void wait () override { underway.wait (); }
  void end () override { watch.tell (); }

protected:
  // While projections come: also brings the memory for the stages after the last one.
  void foresee (Input &input, Output &output) override
  {
    if (!ahead)
      return;
    auto memory = output.make_ahead ();
    std::ranges::move (reconstructor.make_lines (at_once), std::back_inserter (memory));
    const PagesAhead pages (cpu, std::move (memory));
    ahead->follow (input);
  }

  // Lanes of the stream become stacks with as many lanes as a vector has; with fewer, the rest of the stack stays
  // empty.
  void reconstruct (const Block &in, size_t offset, std::span<const Slice> group) override
  {
    const int lanes = std::min (in.lanes (), stack_lanes ());
    const auto *bins = reinterpret_cast<const float *> (in.data () + offset);
    if (watch.looks ())
      for (int64_t angle = 0; angle < in.angles ().size (); angle += borders::Watch::one_of)
        watch.see (bins + angle * in.line () * in.lanes (), in.line (), in.lanes ());
    for (size_t first = 0; first < group.size (); first += static_cast<size_t> (lanes)) {
      const auto used = std::make_shared<std::vector<Block>> (1, in);
      std::vector<float *> slices;
      for (const auto &slice :
           group.subspan (first, std::min<size_t> (static_cast<size_t> (lanes), group.size () - first))) {
        slices.push_back (slice.block ? slice.block->as<float> () + slice.offset / sizeof (float) : nullptr);
        if (slice.block && used->back ().buffer () != slice.block->buffer ())
          used->push_back (*slice.block);
      }
      auto run = ahead ? ahead->take (bins + first) : nullptr;
      if (!run)
        run = reconstructor.begin ({bins + first, in.lanes (), lanes});
      underway.start (reconstructor.stages (monitor, std::move (run), std::move (slices), used),
                      std::span (*used).subspan (1));
    }
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  borders::Watch watch;
  StackPlan stack;
  const int at_once;
  Reconstructor reconstructor;
  std::optional<Ahead> ahead;
  Underway underway;
};

} // namespace

std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, int at_once, int64_t rows_ahead)
{
  return std::make_unique<NativeWorker> (replica, job, at_once, rows_ahead);
}

NativeMemory native_memory (const Job &job)
{
  const StackPlan stack (job);
  NativeMemory memory;
  Bill whole;
  Reconstructor::grid_memory (stack, memory.of_begun);
  Reconstructor::line_memory (stack, memory.of_stack);
  Reconstructor::memory (stack, whole, memory.of_thread);
  memory.sectors = stack.sectors ();
  add_bytes (memory.of_worker, "tables of a stack", stack.resident ());
  return memory;
}

} // namespace sino::fourier_reconstruct
