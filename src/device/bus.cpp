// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/bus.hpp"
#include "device/opencl.hpp"
#include <algorithm>
#include <chrono>
#include <cstring>

namespace sino {

namespace {

constexpr size_t piece = size_t{32} << 20; // large enough to keep the bus busy all the time
constexpr int pieces = 8, tries = 3;

// Bytes per second of the fastest of several tries after a warm-up.
template <class Transfer> double rate (const cl::CommandQueue &queue, const Transfer &transfer)
{
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int i = 0; i <= tries; i++) {
    const auto begin = Clock::now ();
    for (int k = 0; k < pieces; k++)
      transfer ();
    queue.finish ();
    const auto seconds = std::chrono::duration<double> (Clock::now () - begin).count ();
    if (i > 0)
      best = std::max (best, pieces * static_cast<double> (piece) / seconds);
  }
  return best;
}

} // namespace

Bus measure_bus (const Device &measured)
{
  const auto *device = dynamic_cast<const OpenclDevice *> (&measured);
  if (!device)
    fail (SINO_ERROR_DEVICE, "%s uses the host's memory: there is no bus to measure", measured.id.c_str ());
  const auto host = device->allocate (Device::Memory::shared, piece);
  host->settle ();
  std::memset (host->data, 1, piece);
  return device->attempt ([&] {
    const cl::CommandQueue queue (device->context (), device->device);
    const cl::Buffer own (device->context (), CL_MEM_READ_WRITE, piece);
    Bus bus{};
    bus.up = rate (queue, [&] { queue.enqueueWriteBuffer (own, CL_FALSE, 0, piece, host->data); });
    bus.down = rate (queue, [&] { queue.enqueueReadBuffer (own, CL_FALSE, 0, piece, host->data); });
    return bus;
  });
}

} // namespace sino
