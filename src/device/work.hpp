// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops that run on the threads of a run while the worker that started them goes on with others, so that what one of
// them leaves idle does not stay so.
#pragma once
#include "device/cpu.hpp"
#include "device/few-threads.hpp"
#include "stream/block.hpp"
#include <deque>

namespace sino {

// body (begin, end) for parts of [0, n) of at least `grain`, as Cpu::parallel () calls it.
struct Loop {
  int64_t n, grain;
  std::function<void (int64_t begin, int64_t end)> body;
};

// What a worker has under way, in the order in which it was started.
class SINO_VISIBLE Underway
{
public:
  // `most`: pieces of work at a time; 1: each is waited for. `failed` gets what a loop throws while others go on.
  Underway (const Cpu &cpu, const Monitor &monitor, Failed failed, int most);
  ~Underway (); // waits for all
  Underway (const Underway &) = delete;
  Underway &operator= (const Underway &) = delete;

  // Starts loops, of which each begins when the one before it is over, and then waits until less than `most` are under
  // way. Blocks that they fill may be handed on at once: their buffers settle when the loops are over. They let go of
  // what they hold when they are over. All that wait get Cancelled once the run was cancelled, as by a loop that
  // failed.
  void start (std::vector<Loop> loops, std::span<const Block> filled = {});
  // For all of them.
  void wait () { wait_until (0); }

private:
  class Work;
  struct Threads;

  const Cpu &cpu;
  const Monitor &monitor;
  const Failed failed;
  const size_t most;
  std::unique_ptr<Threads> threads;
  std::deque<std::shared_ptr<Work>> works;

  void wait_until (size_t left);
};

} // namespace sino
