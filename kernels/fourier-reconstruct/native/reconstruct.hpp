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
  // The parts of a stack's memory: that which rays are spread over, and that of the stages after them.
  static void grid_memory (const StackPlan &stack, Bill &of_stack);
  static void line_memory (const StackPlan &stack, Bill &of_stack);

  // Makes the memory for the stages of `count` stacks, and returns what has not been touched yet.
  std::vector<std::span<std::byte>> make_lines (int count);

  // A stack in work. Memory limits the number of them.
  struct Run;
  std::shared_ptr<Run> begin (const Bins &bins);
  // Gives a stack its memory for spreading, and returns what has not been touched yet. The stages do it, too.
  std::span<std::byte> make_grid (Run &run);
  // Spreads the next batch of rays of a sector over that memory. Their rows must be there. The order of sectors is that
  // of the stages: an odd one comes after its neighbours. One call at a time for each stack.
  void spread_batch (Run &run, int sector);

  // Returns the stages that are left of a stack; each one needs all results of the previous one. `slices`: see
  // store_rows (); `kept`: stays alive until the last stage.
  std::vector<Loop> stages (const Monitor &monitor, std::shared_ptr<Run> run, std::vector<float *> slices,
                            std::shared_ptr<const void> kept = nullptr);
  // Reconstructs a single stack.
  void run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices);

  // Times of all completed stacks.
  StageTimes times () const;

private:
  // Memory that a stack spreads rays over; zero between stacks.
  struct Grid {
    float *cells, *centres;
    bool fresh; // no page has been written
    Allotment::Piece own[2] = {};
    std::atomic<uint32_t> broken = 0;
  };
  // Memory for the lines of a stack, from its stages on.
  struct Lines {
    float *lines;
    bool fresh;
    Allotment::Piece own = {};
  };
  // Memory of a thread.
  struct ThreadMemory {
    Allotment::Piece terms, work;
    StageTimes times;
  };

  const StackPlan &stack;
  Allotment &allotment;
  std::span<float> lent;
  mutable std::mutex mutex;
  std::vector<std::unique_ptr<Grid>> grids; // these are free
  std::vector<std::unique_ptr<Lines>> lines;
  std::vector<std::unique_ptr<ThreadMemory>> desks;

  std::unique_ptr<Grid> take_grid ();
  std::unique_ptr<Lines> take_lines ();
  std::unique_ptr<ThreadMemory> take_desk ();
  template <class Body> Loop each (int64_t n, int64_t grain, Body body);
  void spread_batch (Run &run, int sector, ThreadMemory &desk) const;
};

} // namespace sino::fourier_reconstruct
