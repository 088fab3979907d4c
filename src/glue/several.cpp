// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/several.hpp"

namespace sino {

SeveralAtOnce::~SeveralAtOnce () = default;

// OpenCL devices have their own queues instead.
int blocks_at_once (const Task &task, const Device &device, int threads)
{
  const auto *several = dynamic_cast<const SeveralAtOnce *> (&task);
  return several && device.kind == Device::Kind::native ? several->blocks_at_once (device, threads) : 1;
}

void allow_at_once (Task &task, const Device &device, int blocks)
{
  if (auto *several = dynamic_cast<SeveralAtOnce *> (&task))
    several->allow (device.kind == Device::Kind::native ? blocks : 1);
}

} // namespace sino
