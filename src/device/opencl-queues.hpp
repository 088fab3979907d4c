// SPDX-License-Identifier: LGPL-3.0-or-later
// The queues of one worker on an OpenCL device, and when their commands ran.
//
// Each worker has its own, so that kernels, what comes in and what goes out overlap, its own and those of other
// workers. Commands of a queue run in their order; device/opencl-memory.hpp has the rule for those of different queues.
#pragma once
#include "device/opencl.hpp"
#include "device/spans.hpp"
#include <deque>

namespace sino {

// Tells times of the device as times of the host.
class SINO_VISIBLE DeviceTime
{
public:
  explicit DeviceTime (const OpenclDevice &device);
  // `stamp`: nanoseconds of the device's clock.
  DeviceSpans::Clock::time_point at (cl_ulong stamp);

private:
  const cl::CommandQueue queue; // nothing else waits in it
  int64_t offset = 0;           // nanoseconds that the host's clock is ahead
  DeviceSpans::Clock::time_point compared;

  void compare ();
};

class SINO_VISIBLE OpenclQueues
{
public:
  // Whoever takes spans of the worker that is being started is told when commands ran.
  explicit OpenclQueues (const OpenclDevice &device);
  ~OpenclQueues (); // waits for all commands
  OpenclQueues (const OpenclQueues &) = delete;
  OpenclQueues &operator= (const OpenclQueues &) = delete;

  const OpenclDevice &device;
  const cl::CommandQueue upload, kernels, download;

  void finish () const; // waits for all commands; throws cl::Error

  using Queue = DeviceSpans::Queue;
  // For the trace: a transfer that was put in a queue, whose time is asked for once it has ended.
  void transfers_by (Queue queue, const cl::Event &command);
  // The same of commands that have ended, by the device's clock.
  void ran (Queue queue, cl_ulong begin, cl_ulong end);

private:
  struct Command {
    Queue queue;
    cl::Event event;
  };
  DeviceSpans *const spans;
  std::optional<DeviceTime> time;
  std::deque<Command> transfers; // that were not told yet

  void tell (bool all);
};

// Commands that are put in the queue from now on wait for the event; none: they do not.
SINO_VISIBLE void hold (const cl::CommandQueue &queue, const cl::Event &until);

// After what is in the kernels' queue so far. Other queues may wait for it.
SINO_VISIBLE cl::Event kernels_done (const OpenclQueues &queues);

// For a worker that puts commands in queues: when it fails, what they work with stays until they have ended.
class SINO_VISIBLE IdleAfterFailure
{
public:
  explicit IdleAfterFailure (const OpenclQueues &q) : queues (q) {}
  ~IdleAfterFailure ();
  IdleAfterFailure (const IdleAfterFailure &) = delete;
  IdleAfterFailure &operator= (const IdleAfterFailure &) = delete;

private:
  const OpenclQueues &queues;
  const int before = std::uncaught_exceptions ();
};

} // namespace sino
