// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/ahead.hpp"
#include "base/cancellation.hpp"
#include "device/pages-ahead.hpp"
#include <algorithm>
#include <condition_variable>
#include <deque>

namespace sino::fourier_reconstruct {

// The stacks, each with at most one thread at a time. Threads take the first stack that has work: if they have little
// time, some stacks are complete, and others take no memory.
class Ahead::Work
{
public:
  Work (const Replica &replica, const StackPlan &p, Reconstructor &r)
      : monitor (replica.monitor), failed (replica.failed), counters (replica.counters), plan (p), reconstructor (r),
        loop (replica.cpu, [this] { return step (); })
  {
    for (int sector = 0; sector < plan.sectors (); sector++) {
      auto &of_batches = needed.emplace_back ();
      for (int64_t batch = 0; batch < plan.batches (sector); batch++)
        of_batches.push_back (static_cast<int64_t> (std::ranges::max (plan.batch (sector, batch))) + 1);
    }
  }

  bool empty () const { return stacks.empty (); }
  // Before the first call of come ().
  void add (const Block &block, const Bins &bins)
  {
    stacks.push_back ({.block = block,
                       .bins = bins.values,
                       .run = reconstructor.begin (bins),
                       .spread = std::vector<int64_t> (needed.size ())});
  }

  // So many projections, from the first, are in the sinograms.
  void come (int64_t projections)
  {
    const std::lock_guard guard (mutex);
    here = projections;
    loop.wake (std::ranges::count_if (stacks, [this] (const Stack &stack) { return has_work (stack); }));
  }

  // Takes a stack away from the threads.
  std::shared_ptr<Reconstructor::Run> take (const float *bins)
  {
    std::unique_lock lock (mutex);
    const auto found = std::ranges::find (stacks, bins, &Stack::bins);
    if (found == stacks.end ())
      return nullptr;
    rested.wait (lock, [&] { return !found->at_work; });
    found->block = {};
    return std::move (found->run);
  }

private:
  struct Stack {
    Block block;
    const float *bins;
    std::shared_ptr<Reconstructor::Run> run; // null: it was taken away
    std::vector<int64_t> spread;             // number of batches of each sector
    bool begun = false, at_work = false;
    std::span<std::byte> fresh; // memory that was not touched yet
  };

  const Monitor &monitor;
  const Failed failed;
  Counters &counters;
  const StackPlan &plan;
  Reconstructor &reconstructor;
  std::vector<std::vector<int64_t>> needed; // number of projections, from the first, with all rays of a batch
  std::deque<Stack> stacks;
  std::mutex mutex; // protects the members below, and the stacks
  std::condition_variable rested;
  int64_t here = 0;
  IdleLoop loop; // stops before the others go

  // A sector whose next batch can be spread; -1: none.
  int next (const Stack &stack) const
  {
    const auto sectors = needed.size ();
    const auto complete = [&] (size_t s) { return stack.spread[s] == std::ssize (needed[s]); };
    for (size_t first = 0; first < 2; first++)
      for (size_t s = first; s < sectors; s += 2)
        if (!complete (s) && needed[s][static_cast<size_t> (stack.spread[s])] <= here &&
            (first == 0 || (complete (s - 1) && complete ((s + 1) % sectors))))
          return static_cast<int> (s);
    return -1;
  }

  bool has_work (const Stack &stack) const { return stack.run && !stack.at_work && next (stack) >= 0; }

  // Does a little for one stack.
  bool step ()
  {
    std::unique_lock lock (mutex);
    const auto found = monitor.cancelled ()
                           ? stacks.end ()
                           : std::ranges::find_if (stacks, [this] (const Stack &stack) { return has_work (stack); });
    if (found == stacks.end ())
      return false;
    found->at_work = true;
    const int sector = next (*found);
    lock.unlock ();
    bool spread = false;
    try {
      const WorkingFor scope (monitor);
      spread = work_on (*found, sector);
    } catch (...) {
      failed (std::current_exception ());
    }
    lock.lock ();
    found->spread[static_cast<size_t> (sector)] += spread;
    found->at_work = false;
    rested.notify_all ();
    return true;
  }

  // Brings some of the stack's memory, or spreads a batch; returns whether it was a batch.
  bool work_on (Stack &stack, int sector)
  {
    if (!stack.begun)
      stack.fresh = reconstructor.make_grid (*stack.run);
    stack.begun = true;
    if (!stack.fresh.empty ()) {
      stack.fresh = bring_some (stack.fresh);
      return false;
    }
    reconstructor.spread_batch (*stack.run, sector);
    counters.add ("batches-ahead", 1);
    return true;
  }
};

// Calls visit (Bins, number of rows) for each stack of a block, as the worker divides it.
template <class Visit> static void each_stack (const Block &block, Visit visit)
{
  const int lanes = std::min (block.lanes (), stack_lanes ());
  const auto rows = block.rows ().size ();
  for (int64_t row = 0; row < rows; row += block.lanes ())
    for (int64_t first = 0; first < std::min<int64_t> (block.lanes (), rows - row); first += lanes)
      visit (Bins{block.as<float> () + block.offset (0, row) + first, block.lanes (), lanes},
             std::min<int64_t> (lanes, rows - row - first));
}

Ahead::Ahead (const Replica &replica, const StackPlan &plan, Reconstructor &reconstructor, int64_t rows)
    : most_rows (rows), work (std::make_unique<Work> (replica, plan, reconstructor))
{
}

Ahead::~Ahead () = default;

std::shared_ptr<Reconstructor::Run> Ahead::take (const float *bins)
{
  return work->take (bins);
}

void Ahead::follow (Input &input)
{
  int64_t seen = 0, rows = 0;
  while (const auto filled = input.filling (seen)) {
    if (work->empty ())
      for (const auto &block : *filled->blocks)
        each_stack (block, [&] (const Bins &bins, int64_t some) {
          if (rows + some <= most_rows)
            work->add (block, bins);
          rows += some;
        });
    seen = filled->projections;
    work->come (seen);
  }
}

} // namespace sino::fourier_reconstruct
