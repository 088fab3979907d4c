// SPDX-License-Identifier: LGPL-3.0-or-later
// A stack after the other, by all threads.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"
#include <mutex>

namespace sino::fourier_reconstruct {

// Seconds that threads spent, all together.
struct StageTimes {
  double rays = 0, spreading = 0, centres = 0, lines = 0, rows = 0;
};

// The memory for stacks; one stack at a time.
class Reconstructor
{
public:
  Reconstructor (const Stack &stack, Allotment &memory);

  // What it takes, and each thread besides.
  static void memory (const Stack &stack, Bill &all, Bill &of_thread);

  // `slices`: as store_rows () has them.
  void run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices);

  const StageTimes &times () const { return spent; }

private:
  struct Work {
    Allotment::Piece terms, work;
    StageTimes times;
  };

  const Stack &stack;
  Allotment &allotment;
  const Allotment::Piece grid, centres, lines;
  std::atomic<uint32_t> broken;
  std::mutex mutex;
  std::vector<std::unique_ptr<Work>> free;
  StageTimes spent;

  template <class Body> void each (const Cpu &cpu, int64_t n, int64_t grain, const Body &body);
};

} // namespace sino::fourier_reconstruct
