// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/opencl-point-worker.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"

namespace sino {

OpenclPointWorker::OpenclPointWorker (const Replica &replica)
    : device (as_opencl (replica.device)), monitor (replica.monitor), uploads (device), downloads (device),
      clock (device, &replica.counters)
{
}

void OpenclPointWorker::run (std::span<Input *const> inputs, Output *output)
{
  while (const Block in = inputs[0]->pop ()) {
    monitor.check ();
    Block out = output->next ();
    const IdleAfterFailure guard (device);
    device.attempt ([&] {
      const Place from (in), to (out);
      const auto ran = process (in, uploads.take (from, in.bytes ()), out, downloads.take (to, out.bytes ()));
      clock.add (ran.first, ran.last);
      const auto done = kernels_done (device);
      uploads.until (done);
      downloads.finish (to, out.bytes (), done);
    });
    output->push (std::move (out));
  }
}

size_t copies_memory (const Sizing &sizing)
{
  size_t bytes = 0;
  if (!sizing.input_reached)
    for (const auto block : sizing.input_block)
      bytes += 2 * block;
  return bytes + (sizing.output_reached ? 0 : 2 * sizing.output_block);
}

} // namespace sino
