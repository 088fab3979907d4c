// SPDX-License-Identifier: LGPL-3.0-or-later
// What PointWorker is on the CPU: each block becomes one of the same region, by kernels of a device.
#pragma once
#include "device/opencl-memory.hpp"
#include "glue/task.hpp"

namespace sino {

class OpenclPointWorker : public Worker
{
public:
  void run (std::span<Input *const> inputs, Output *output) final;

protected:
  explicit OpenclPointWorker (const Replica &replica);

  const OpenclDevice &device;
  const Monitor &monitor;

  // Puts commands in device.queues ().kernels that make `to` from `from`, and waits for none.
  virtual void process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) = 0;

private:
  Uploads uploads;
  Downloads downloads;
};

// For device_memory (): bytes of the copies that the worker makes of blocks that it does not reach.
size_t copies_memory (const Sizing &sizing);

} // namespace sino
