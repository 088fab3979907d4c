// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/interleave/opencl.hpp"
#include "device/devices.hpp"
#include "device/opencl-memory.hpp"
#include "families/clock.hpp"
#include "filters/interleave/opencl-lanes.hpp"

namespace sino::interleave {

namespace {

// Device memory in place of a block that kernels cannot access.
struct Copy {
  cl::Buffer memory;
  cl::Event last; // the last command that uses it
};

class OnDevice final : public Worker
{
public:
  OnDevice (const Replica &replica, const families::Setting &setting)
      : device (as_opencl (replica.device)), monitor (replica.monitor), memory (replica.memory), queues (device),
        uploads (queues, memory), lanes (device, setting,
                                         problem_of (size_of (replica.output->element), replica.input_layouts[0].lanes,
                                                     replica.output_layout.lanes)),
        clock (queues, &replica.counters)
  {
  }

  void wait () override { clock.wait (); }

  // All blocks of a work item stay open until its last projection has come.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    const IdleAfterFailure guard (queues);
    device.attempt ([&] {
      std::vector<cl::Buffer> places;
      for (size_t i = 0; i < blocks.size (); i++)
        places.push_back (memory_of (blocks[i], i));
      while (const Block in = inputs[0]->pop ()) {
        monitor.check ();
        const auto from = uploads.take (in, in.bytes ());
        cl::Event first;
        for (size_t i = 0; i < blocks.size (); i++)
          if (const auto event = lanes.enqueue (queues.kernels, in, from, blocks[i], places[i]); !first ())
            first = event;
        const auto taken = kernels_done (queues);
        uploads.until (taken);
        if (first ())
          clock.add (first, taken);
      }
      const auto done = kernels_done (queues);
      for (size_t i = 0; i < blocks.size (); i++)
        finish (blocks[i], i, done);
    });
    output->push_all (blocks);
  }

private:
  const OpenclDevice &device;
  const Monitor &monitor;
  Allotment &memory;
  OpenclQueues queues;
  Uploads uploads;
  OpenclLanes lanes;
  std::vector<Copy> copies; // one per block of a work item
  families::KernelClock clock;

  cl::Buffer memory_of (const Block &block, size_t i)
  {
    if (auto direct = MemoryPiece (block).direct (queues.kernels, OpenclBuffer::Use::write))
      return *direct;
    if (copies.size () <= i)
      copies.push_back ({take_buffer (device, memory, Downloads::item), {}});
    auto &copy = copies[i];
    hold (queues.kernels, copy.last);
    require (copy.memory, block.bytes (), Downloads::item);
    return copy.memory;
  }

  // `done`: end of all kernels.
  void finish (const Block &block, size_t i, const cl::Event &done)
  {
    const MemoryPiece to (block);
    if (to.in_reach ())
      to.buffer->until (done, OpenclBuffer::Use::write);
    else
      copies[i].last = download (queues, to, done, [&] (const cl::CommandQueue &queue, cl::Event &there) {
        queue.enqueueReadBuffer (copies[i].memory, CL_FALSE, 0, block.bytes (), to.address (), nullptr, &there);
      });
  }
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const families::Setting &setting)
{
  return std::make_unique<OnDevice> (replica, setting);
}

void opencl_memory (const Sizing &sizing, Bill &bill)
{
  if (!sizing.input_reached)
    add_buffers (bill, Uploads::item, sizing.input_block[0], Staging::slots);
  if (!sizing.output_reached)
    add_buffers (bill, Downloads::item, sizing.output_block, static_cast<size_t> (sizing.output_blocks));
}

} // namespace sino::interleave
