// SPDX-License-Identifier: LGPL-3.0-or-later
// Stacks by all threads. The stages of a stack follow each other, and some of them have few parts or long ones, so
// threads have something to do all the time only where another stack is under way.
#pragma once
#include "device/bill.hpp"
#include "device/work.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"
#include <mutex>

namespace sino::fourier_reconstruct {

// Seconds that threads spent, all together.
struct StageTimes {
  double rays = 0, spreading = 0, centres = 0, lines = 0, rows = 0;
};

// Stacks of so many sectors that are best under way at a time.
int stacks_at_once (int sectors, int threads);

// The memory for stacks.
class Reconstructor
{
public:
  Reconstructor (const StackPlan &stack, Allotment &memory);

  // What each stack under way takes, and each thread besides.
  static void memory (const StackPlan &stack, Bill &of_stack, Bill &of_thread);

  // The stages of a stack, each of which needs all of the one before it; of as many stacks at a time as there is memory
  // for. `slices`: as store_rows () has them; `kept`: what goes with the stages.
  std::vector<Loop> stages (const Monitor &monitor, const Bins &bins, std::vector<float *> slices,
                            std::shared_ptr<const void> kept = nullptr);
  // A stack by itself.
  void run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices);

  // Times of all stacks that are done.
  StageTimes times () const;

private:
  // Memory of a stack; zero where the kernels want zeros.
  struct StackMemory {
    Allotment::Piece grid, centres, lines;
    std::atomic<uint32_t> broken = 0;
  };
  // Memory of a thread.
  struct ThreadMemory {
    Allotment::Piece terms, work;
    StageTimes times;
  };
  struct Run;

  const StackPlan &stack;
  Allotment &allotment;
  mutable std::mutex mutex;
  std::vector<std::unique_ptr<StackMemory>> places; // those that are free
  std::vector<std::unique_ptr<ThreadMemory>> desks;

  std::unique_ptr<StackMemory> take_place ();
  std::unique_ptr<ThreadMemory> take_desk ();
  template <class Body> Loop each (int64_t n, int64_t grain, Body body);
};

} // namespace sino::fourier_reconstruct
