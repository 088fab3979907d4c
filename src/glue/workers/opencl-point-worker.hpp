// SPDX-License-Identifier: LGPL-3.0-or-later
// What PointWorker is on the CPU: each block becomes one of the same region, by kernels of a device.
#pragma once
#include "device/opencl-memory.hpp"
#include "families/clock.hpp"
#include "glue/task.hpp"

namespace sino {

class SINO_VISIBLE OpenclPointWorker : public Worker
{
public:
  void run (std::span<Input *const> inputs, Output *output) final;
  void wait () override { clock.wait (); }

protected:
  explicit OpenclPointWorker (const Replica &replica);

  const OpenclDevice &device;
  const Monitor &monitor;
  OpenclQueues queues;

  struct Span {
    cl::Event first, last;
  };
  // Puts commands in queues.kernels that make `to` from `from`, and waits for none. The last is behind all others.
  virtual Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) = 0;

private:
  Uploads uploads;
  Downloads downloads;
  families::KernelClock clock;
};

// What such a worker takes: copies of the blocks that it does not reach.
SINO_VISIBLE void add_copies (const Sizing &sizing, Bill &bill);

} // namespace sino
