// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/opencl-point-worker.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "glue/shapes.hpp"

namespace sino {

OpenclPointWorker::OpenclPointWorker (const Replica &replica)
    : device (as_opencl (replica.device)), monitor (replica.monitor), queues (device), uploads (queues, replica.memory),
      downloads (queues, replica.memory), clock (queues, &replica.counters)
{
}

void OpenclPointWorker::run (std::span<Input *const> inputs, Output *output)
{
  last_item.run ([&] {
    while (const Block in = inputs[0]->pop ()) {
      monitor.check ();
      Block out = output->next ();
      const IdleAfterFailure guard (queues);
      device.attempt ([&] {
        const MemoryPiece from (in), to (out);
        const auto ran = process (in, uploads.take (from, in.bytes ()), out, downloads.take (to, out.bytes ()));
        clock.add (ran.first, ran.last);
        queues.kernels.flush ();
        uploads.until (ran.last);
        downloads.finish (to, out.bytes (), ran.last);
      });
      output->push (std::move (out));
    }
  });
}

void PointFilter::memory (const Sizing &sizing, Bill &bill) const
{
  if (on_device (sizing.device))
    add_copies (sizing, bill);
}

void add_copies (const Sizing &sizing, Bill &bill)
{
  if (!sizing.input_reached)
    add_buffers (bill, Uploads::item, sizing.input_block[0], Staging::slots);
  if (!sizing.output_reached)
    add_buffers (bill, Downloads::item, sizing.output_block, Staging::slots);
}

} // namespace sino
