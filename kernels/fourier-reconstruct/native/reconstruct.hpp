// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs stacks with all threads. The stages of a stack run one after the other, and some have few or long parts,
// so threads stay busy only if another stack is in work, too.
#pragma once
#include "device/bill.hpp"
#include "device/work.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"
#include <mutex>

namespace sino::fourier_reconstruct {

// Seconds of each stage, in all threads together.
struct StageTimes {
  double rays = 0, spreading = 0, centres = 0, lines = 0, rows = 0;
};

// Best number of stacks in work at a time.
int stacks_at_once (int sectors, int threads);

// Manages the memory of stacks and threads.
class Reconstructor
{
public:
  Reconstructor (const StackPlan &stack, Allotment &memory);

  // Takes memory for a stack, aligned to 64 bytes, in place of the allotment's. Before a stack it must be clear, and it
  // is clear after one.
  void lend (std::span<float> memory);
  void clear_lent (const Cpu &cpu) const;
  static size_t floats_to_lend (const StackPlan &stack);

  // Memory of each stack in work, and of each thread.
  static void memory (const StackPlan &stack, Bill &of_stack, Bill &of_thread);

  // Returns the stages of a stack; each one needs all results of the previous one. Memory limits the number of stacks
  // in work at a time. `slices`: see store_rows (); `kept`: stays alive until the last stage.
  std::vector<Loop> stages (const Monitor &monitor, const Bins &bins, std::vector<float *> slices,
                            std::shared_ptr<const void> kept = nullptr);
  // Reconstructs a single stack.
  void run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices);

  // Times of all completed stacks.
  StageTimes times () const;

private:
  // Memory of a stack; zero where the kernels expect zeros.
  struct StackMemory {
    float *grid, *centres, *lines;
    bool fresh; // no page has been written
    Allotment::Piece own[3] = {};
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
  std::span<float> lent;
  mutable std::mutex mutex;
  std::vector<std::unique_ptr<StackMemory>> places; // memory of stacks that is free
  std::vector<std::unique_ptr<ThreadMemory>> desks;

  std::unique_ptr<StackMemory> take_place ();
  std::unique_ptr<ThreadMemory> take_desk ();
  template <class Body> Loop each (int64_t n, int64_t grain, Body body);
};

} // namespace sino::fourier_reconstruct
