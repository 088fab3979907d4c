// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops that run on the threads of a run while their worker starts further ones, so that idle threads find work.
#pragma once
#include "device/cpu.hpp"
#include "stream/block.hpp"
#include <deque>
#include <memory>

namespace sino {

// Work for threads that have nothing else to do. Each call of `step` does a little of it, so that they soon look for
// other work.
class SINO_VISIBLE IdleLoop : NoCopy
{
public:
  // `step`: returns whether it found something to do. It must not throw. Up to cpu.threads () calls run at once.
  IdleLoop (const Cpu &cpu, std::function<bool ()> step);
  ~IdleLoop (); // waits for steps that have begun; none begins later

  // There is something to do for this number of threads.
  void wake (int64_t threads);

private:
  class State;
  std::shared_ptr<State> state; // threads may find it after this object is gone
};

// Calls body (begin, end) for parts of [0, n) of at least `grain`, as in Cpu::parallel ().
struct Loop {
  int64_t n, grain;
  std::function<void (int64_t begin, int64_t end)> body;
};

// The loops that a worker has under way, in the order in which they were started.
class SINO_VISIBLE Underway
{
public:
  // `most`: largest number of sequences of loops at a time; with 1, start () waits for each. `failed` gets the
  // exceptions of loops.
  Underway (const Cpu &cpu, const Monitor &monitor, Failed failed, int most);
  ~Underway (); // waits for all

  // Starts a sequence of loops; each loop begins when the one before it has ended. Then waits until fewer than `most`
  // sequences are running. The blocks `filled` may be passed on at once: their buffers settle when the loops have
  // ended. Loops release what they hold at their end. All waits throw Cancelled if the run was cancelled, for example
  // by a failed loop.
  void start (std::vector<Loop> loops, std::span<const Block> filled = {});
  // Waits for all of them.
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
