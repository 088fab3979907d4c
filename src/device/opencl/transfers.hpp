// SPDX-License-Identifier: LGPL-3.0-or-later
// How transfers wait for kernels.
#pragma once
#include "device/opencl-queues.hpp"

namespace sino {

// Makes later transfers of a queue wait for an event; a null event has no effect. With NVIDIA's drivers the host waits:
// a transfer that is enqueued behind a wait blocks its thread until the event has come, and meanwhile no other thread
// can call the driver (580).
SINO_VISIBLE void hold_transfers (const OpenclDevice &device, const cl::CommandQueue &queue, const cl::Event &until);

} // namespace sino
