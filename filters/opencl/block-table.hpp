// SPDX-License-Identifier: LGPL-3.0-or-later
// A table that the host makes anew for each block. It is uploaded while kernels use the tables of earlier blocks.
#pragma once
#include "device/opencl-memory.hpp"
#include <span>

namespace sino::opencl {

class BlockTable
{
public:
  static void memory (const char *item, size_t bytes, Bill &bill) { add_buffers (bill, item, bytes, Staging::slots); }

  BlockTable (OpenclQueues &q, Allotment &allotment, const char *item) : queues (q), staging (q.device, allotment, item)
  {
  }

  // The values in the memory of the device, for kernels that are enqueued until the next call. Returns when they are
  // there.
  template <class T> const cl::Buffer &put (std::span<const T> values)
  {
    const auto &memory = staging.for_upload (queues.upload, values.size_bytes ());
    queues.upload.enqueueWriteBuffer (memory, CL_TRUE, 0, values.size_bytes (), values.data ());
    return memory;
  }
  // Sets the last command that uses the table.
  void until (const cl::Event &event) { staging.until (event); }

private:
  OpenclQueues &queues;
  Staging staging;
};

} // namespace sino::opencl
