// SPDX-License-Identifier: LGPL-3.0-or-later
// The command queues of one worker on an OpenCL device, and the times at which their commands ran.
//
// Each worker has its own queues, so that kernels, uploads and downloads of all workers overlap. Commands of one queue
// run in order; device/opencl-memory.hpp has the rule for commands of different queues.
#pragma once
#include "device/opencl.hpp"
#include "device/spans.hpp"
#include <deque>

namespace sino {

// Converts times of the device to times of the host.
class SINO_VISIBLE DeviceTime
{
public:
  explicit DeviceTime (const OpenclDevice &device);
  // `stamp`: nanoseconds of the device's clock.
  DeviceSpans::Clock::time_point at (cl_ulong stamp);

private:
  const cl::CommandQueue queue; // used for nothing else, so commands do not wait in it
  int64_t offset = 0;           // host clock minus device clock in nanoseconds
  DeviceSpans::Clock::time_point compared;

  void compare ();
};

class SINO_VISIBLE OpenclQueues : NoCopy
{
public:
  // If the worker that is being started has a receiver of spans (device/spans.hpp), it gets the times of commands.
  explicit OpenclQueues (const OpenclDevice &device);
  ~OpenclQueues (); // waits for all commands

  const OpenclDevice &device;
  const cl::CommandQueue upload, kernels, download;

  void finish () const; // waits for all commands; throws cl::Error

  using Queue = DeviceSpans::Queue;
  // Records a transfer for the trace; its times are queried after its end.
  void transfers_by (Queue queue, const cl::Event &command);
  // Records commands that have ended, with times of the device's clock.
  void ran (Queue queue, cl_ulong begin, cl_ulong end);

private:
  struct Command {
    Queue queue;
    cl::Event event;
  };
  DeviceSpans *const spans;
  std::optional<DeviceTime> time;
  std::deque<Command> transfers; // transfers that are not reported yet

  void tell (bool all);
};

// Makes later commands of the queue wait for the event; a null event has no effect.
SINO_VISIBLE void hold (const cl::CommandQueue &queue, const cl::Event &until);
// The same for later transfers of a queue. With NVIDIA's drivers the host waits: a transfer that is enqueued behind a
// wait blocks its thread until the event has come, and meanwhile no other thread can call the driver (580).
SINO_VISIBLE void hold_transfers (const OpenclDevice &device, const cl::CommandQueue &queue, const cl::Event &until);

// An event after all commands in the kernels' queue so far. Other queues may wait for it.
SINO_VISIBLE cl::Event kernels_done (const OpenclQueues &queues);

// Member of a worker that enqueues commands: after a failure, its destructor waits until the commands have ended,
// because they use the worker's memory.
class SINO_VISIBLE IdleAfterFailure : NoCopy
{
public:
  explicit IdleAfterFailure (const OpenclQueues &q) : queues (q) {}
  ~IdleAfterFailure ();

private:
  const OpenclQueues &queues;
  const int before = std::uncaught_exceptions ();
};

} // namespace sino
