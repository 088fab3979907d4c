// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/ahead.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <condition_variable>
#include <deque>

namespace sino::fourier_reconstruct {

// The stacks, each with at most one thread at a time.
class Ahead::Work : public std::enable_shared_from_this<Work>
{
public:
  Work (const Replica &replica, const StackPlan &p, Reconstructor &r)
      : cpu (replica.cpu), monitor (replica.monitor), failed (replica.failed), counters (replica.counters), plan (p),
        reconstructor (r)
  {
    for (int sector = 0; sector < plan.sectors (); sector++) {
      auto &of_batches = needed.emplace_back ();
      for (int64_t batch = 0; batch < plan.batches (sector); batch++)
        of_batches.push_back (static_cast<int64_t> (std::ranges::max (plan.batch (sector, batch))) + 1);
    }
  }

  int64_t size () const { return std::ssize (stacks); }
  void add (const Bins &bins)
  {
    auto run = reconstructor.begin (bins);
    const std::lock_guard guard (mutex);
    stacks.push_back ({bins.values, std::move (run), std::vector<int64_t> (needed.size ())});
  }

  // So many projections, from the first, are in the sinograms.
  void come (int64_t projections)
  {
    const std::lock_guard guard (mutex);
    here = projections;
    for (auto &stack : stacks)
      if (!stack.waits && next (stack) >= 0) {
        stack.waits = true;
        wait_for_thread (stack);
      }
  }

  // Takes a stack away from the threads.
  std::shared_ptr<Reconstructor::Run> take (const float *bins)
  {
    std::unique_lock lock (mutex);
    const auto found = std::ranges::find (stacks, bins, &Stack::bins);
    if (found == stacks.end () || !found->run)
      return nullptr;
    rested.wait (lock, [&] { return !found->at_work; });
    return std::move (found->run);
  }

  void take_all ()
  {
    for (const auto &stack : stacks)
      take (stack.bins);
  }

private:
  struct Stack {
    const float *bins;
    std::shared_ptr<Reconstructor::Run> run; // null: it was taken away
    std::vector<int64_t> spread;             // number of batches of each sector
    bool waits = false, at_work = false;     // for a thread; with one
  };

  const Cpu &cpu;
  const Monitor &monitor;
  const Failed failed;
  Counters &counters;
  const StackPlan &plan;
  Reconstructor &reconstructor;
  std::vector<std::vector<int64_t>> needed; // number of projections, from the first, with all rays of a batch
  std::mutex mutex;                         // protects the members below
  std::condition_variable rested;
  int64_t here = 0;
  std::deque<Stack> stacks;

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

  // With the lock held, so that the stack cannot be taken away meanwhile.
  void wait_for_thread (Stack &stack)
  {
    cpu.when_idle ([self = shared_from_this (), &stack] { self->spread (stack); });
  }

  // Spreads one batch. The thread is then free for other work. Once a stack is taken away, nothing outside this object
  // may be used: it may be gone.
  void spread (Stack &stack)
  {
    std::unique_lock lock (mutex);
    const int sector = stack.run && !monitor.cancelled () ? next (stack) : -1;
    stack.waits = stack.at_work = sector >= 0;
    if (sector < 0)
      return;
    lock.unlock ();
    try {
      const WorkingFor scope (monitor);
      reconstructor.spread_batch (*stack.run, sector);
      counters.add ("batches-ahead", 1);
    } catch (...) {
      failed (std::current_exception ());
    }
    lock.lock ();
    stack.spread[static_cast<size_t> (sector)]++;
    stack.at_work = false;
    rested.notify_all ();
    if (stack.run)
      wait_for_thread (stack);
  }
};

// Calls visit (Bins) for each stack of a block, as the worker divides it.
template <class Visit> static void each_stack (const Block &block, Visit visit)
{
  const int lanes = std::min (block.lanes (), stack_lanes ());
  const auto rows = block.rows ().size ();
  for (int64_t row = 0; row < rows; row += block.lanes ())
    for (int64_t first = 0; first < std::min<int64_t> (block.lanes (), rows - row); first += lanes)
      visit (Bins{block.as<float> () + block.offset (0, row) + first, block.lanes (), lanes});
}

Ahead::Ahead (const Replica &replica, const StackPlan &plan, Reconstructor &reconstructor, int64_t m)
    : most (m), work (std::make_shared<Work> (replica, plan, reconstructor))
{
}

Ahead::~Ahead ()
{
  work->take_all ();
}

std::shared_ptr<Reconstructor::Run> Ahead::take (const float *bins)
{
  return work->take (bins);
}

void Ahead::follow (Input &input)
{
  int64_t seen = 0;
  while (const auto filled = input.filling (seen)) {
    if (work->size () == 0)
      for (const auto &block : *filled->blocks)
        each_stack (block, [this] (const Bins &bins) {
          if (work->size () < most)
            work->add (bins);
        });
    seen = filled->projections;
    work->come (seen);
  }
}

} // namespace sino::fourier_reconstruct
