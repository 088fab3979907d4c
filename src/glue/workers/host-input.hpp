// SPDX-License-Identifier: LGPL-3.0-or-later
// An input that the host reads although the worker computes on an OpenCL device: its blocks may lie in the device's own
// memory.
#pragma once
#include "device/opencl-queues.hpp"
#include "glue/task.hpp"

namespace sino {

class SINO_VISIBLE HostInput final : public Input
{
public:
  HostInput (OpenclQueues &q, Allotment &a) : queues (q), allotment (a) {}

  // Adds its memory, for ports that are read one after the other.
  static void memory (const Sizing &sizing, std::initializer_list<size_t> ports, Bill &bill);

  // Wraps an input until the next call; null stays null.
  Input *of (Input *input)
  {
    from = input;
    return input ? this : nullptr;
  }
  // A block that the host can read, until the next call.
  Block pop () override;

private:
  OpenclQueues &queues;
  Allotment &allotment;
  Input *from = nullptr;
  Allotment::Piece copy;
};

} // namespace sino
