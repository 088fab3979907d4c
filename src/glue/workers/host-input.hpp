// SPDX-License-Identifier: LGPL-3.0-or-later
// A port that the host reads though the worker computes on an OpenCL device: its blocks may lie in the device's own
// memory.
#pragma once
#include "device/opencl-queues.hpp"
#include "glue/task.hpp"

namespace sino {

class SINO_VISIBLE HostInput final : public Input
{
public:
  HostInput (OpenclQueues &q, Allotment &a) : queues (q), allotment (a) {}

  // What it takes for ports that are read one after the other.
  static void memory (const Sizing &sizing, std::initializer_list<size_t> ports, Bill &bill);

  // Stands for that input until the next call; null for null.
  Input *of (Input *input)
  {
    from = input;
    return input ? this : nullptr;
  }
  // A block whose content the host sees, until the next call.
  Block pop () override;

private:
  OpenclQueues &queues;
  Allotment &allotment;
  Input *from = nullptr;
  Allotment::Piece copy;
};

} // namespace sino
