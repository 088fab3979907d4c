// SPDX-License-Identifier: LGPL-3.0-or-later
// How long kernels ran, by the device's own clock: what a worker reports as "kernel-microseconds", and what tells how
// much fits in a short launch. Commands of other nodes do not count, though a device that works on both takes longer.
#pragma once
#include "base/counters.hpp"
#include "base/monitor.hpp"
#include "device/opencl-queues.hpp"
#include <deque>

namespace sino::families {

class SINO_VISIBLE KernelClock
{
public:
  explicit KernelClock (OpenclQueues &q, Counters *c = nullptr) : queues (q), counters (c) {}
  ~KernelClock (); // waits
  KernelClock (const KernelClock &) = delete;
  KernelClock &operator= (const KernelClock &) = delete;

  // Where the commands are put.
  const cl::CommandQueue &queue () const { return queues.kernels; }
  // Commands in that queue from `first` to `last`, which update so many values.
  void add (const cl::Event &first, const cl::Event &last, double updates = 0);
  // Waits until at most so many of what was added have not ended.
  void wait (size_t most = 0);

  double seconds () const { return busy; }   // seconds of all that were seen to have ended
  double speed () const { return rate; }     // updates per second of the last one
  bool started () const { return rate > 0; } // there was one

private:
  struct Commands {
    cl::Event first, last;
    double updates;
  };

  OpenclQueues &queues;
  Counters *const counters;
  std::deque<Commands> running; // or ended, and not looked at yet
  double busy = 0, rate = 0;
  int64_t counted = 0; // microseconds

  void look_at_oldest ();
};

// Groups of work-items side by side and below each other, of so many updates each.
struct Grid {
  std::array<size_t, 2> group;
  int64_t columns, rows;
  double updates;
};

// Puts a kernel in the clock's queue in launches of some 0.2 s, so that a desktop on the same device stays alive and a
// cancelled run ends soon. Throws Error, cl::Error, or Cancelled.
SINO_VISIBLE void launch_in_parts (const Monitor &monitor, KernelClock &clock, const cl::Kernel &kernel,
                                   const Grid &grid);

} // namespace sino::families
