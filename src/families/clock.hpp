// SPDX-License-Identifier: LGPL-3.0-or-later
// Measures the running time of kernels with the device's own clock. launch_in_parts () finds the size of launches by
// it. Workers report it as "kernel-microseconds", without the time that kernels of other workers took from them
// (device/opencl/time-shares.hpp).
#pragma once
#include "base/counters.hpp"
#include "base/monitor.hpp"
#include "device/opencl-queues.hpp"
#include <deque>

namespace sino::families {

class SINO_VISIBLE KernelClock : NoCopy
{
public:
  explicit KernelClock (OpenclQueues &q, Counters *c = nullptr)
      : queues (q), counters (c), account (q.device.kernel_time.open ())
  {
  }
  ~KernelClock (); // waits for all commands

  // The queue for the commands.
  const cl::CommandQueue &queue () const { return queues.kernels; }
  // Adds the commands from `first` to `last` in that queue, which make `updates` updates of values; 0: their speed does
  // not count.
  void add (const cl::Event &first, const cl::Event &last, double updates = 0);
  // Waits until at most `most` of the added commands have not ended.
  void wait (size_t most = 0);

  // Number of the added commands that have not ended, and their predicted seconds.
  struct Left {
    size_t number;
    double seconds;
  };
  Left left ();

  double speed () const { return rate; }     // updates per second of the last command that has ended
  bool started () const { return rate > 0; } // whether a command has ended

private:
  struct Commands {
    cl::Event first, last;
    double updates;
  };

  OpenclQueues &queues;
  Counters *const counters;
  const std::shared_ptr<TimeShares::Account> account;
  std::deque<Commands> running; // added commands whose times were not read yet
  double rate = 0;
  int64_t counted = 0; // microseconds added to the counter so far

  void look_at_oldest ();
  void look_at_ended ();
};

// A two-dimensional range of work-groups: size of a group, columns and rows of groups, updates per group.
struct Grid {
  std::array<size_t, 2> group;
  int64_t columns, rows;
  double updates;
};

// Enqueues a kernel in the clock's queue, in launches of about 0.2 s each, so that a desktop on the same device stays
// usable and a cancelled run ends soon. Throws Error, cl::Error, or Cancelled.
SINO_VISIBLE void launch_in_parts (const Monitor &monitor, KernelClock &clock, const cl::Kernel &kernel,
                                   const Grid &grid);

} // namespace sino::families
