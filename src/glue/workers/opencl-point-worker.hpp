// SPDX-License-Identifier: LGPL-3.0-or-later
// PointWorker for OpenCL devices: each block becomes one of the same region, computed by kernels.
#pragma once
#include "device/opencl-memory.hpp"
#include "families/clock.hpp"
#include "glue/task.hpp"
#include "glue/workers/last-item.hpp"

namespace sino {

class SINO_VISIBLE OpenclPointWorker : public Worker
{
public:
  // Takes blocks of the first input.
  void run (std::span<Input *const> inputs, Output *output) override;
  void wait () final
  {
    clock.wait ();
    count ();
  }
  void end () final
  {
    last_item.end ([&] { wait (); });
  }

protected:
  explicit OpenclPointWorker (const Replica &replica);

  const OpenclDevice &device;
  const Monitor &monitor;
  OpenclQueues queues;

  struct Span {
    cl::Event first, last;
  };
  // Enqueues commands in queues.kernels that compute `to` from `from`, without waiting. The last command must run after
  // all others.
  virtual Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) = 0;
  // Counts what kernels have found since the last call. All commands have ended.
  virtual void count () {}

private:
  Uploads uploads;
  Downloads downloads;
  families::KernelClock clock;
  LastItem last_item;
};

// Adds the memory of such a worker: copies of blocks that it cannot access directly.
SINO_VISIBLE void add_copies (const Sizing &sizing, Bill &bill);

} // namespace sino
