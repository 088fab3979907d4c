// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/opencl-point-worker.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"

namespace sino {

OpenclPointWorker::OpenclPointWorker (const Replica &replica)
    : device (as_opencl (replica.device)), monitor (replica.monitor), uploads (device, replica.memory),
      downloads (device, replica.memory), clock (device, &replica.counters)
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

void add_copies (const Sizing &sizing, Bill &bill)
{
  if (!sizing.input_reached)
    add_buffers (bill, Uploads::item, sizing.input_block[0], 2);
  if (!sizing.output_reached)
    add_buffers (bill, Downloads::item, sizing.output_block, 2);
}

} // namespace sino
