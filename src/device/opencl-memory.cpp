// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl-memory.hpp"
#include "base/error.hpp"

namespace sino {

cl::Event kernels_done (const OpenclDevice &device)
{
  cl::Event event;
  const auto &queue = device.queues ().kernels;
  queue.enqueueMarkerWithWaitList (nullptr, &event);
  queue.flush (); // other queues wait for it
  return event;
}

bool wait_for (const cl::Event &event)
{
  if (!event ())
    return false;
  event.wait ();
  return true;
}

IdleAfterFailure::~IdleAfterFailure ()
{
  if (std::uncaught_exceptions () == before)
    return;
  try {
    device.queues ().kernels.finish ();
    device.queues ().download.finish ();
  } catch (const cl::Error &) { // the failure is on its way already
  }
}

OpenclBuffer::OpenclBuffer (const OpenclDevice &d, Device::Memory where, size_t bytes)
    : Buffer (nullptr, bytes), device (d), kind (where), reached (where == Device::Memory::own || d.shares_host_memory)
{
  device.attempt ([&] {
    const auto &context = device.context ();
    if (kind == Device::Memory::own) {
      memory = cl::Buffer (context, CL_MEM_READ_WRITE, bytes);
    } else if (reached) {
      pages = allocate_pages (bytes);
      memory = cl::Buffer (context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages->data);
      settle ();
    } else {
      memory = cl::Buffer (context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes);
      data = static_cast<std::byte *> (
          device.queues ().download.enqueueMapBuffer (memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes));
    }
  });
}

// What the memory is still used by has to end before its pages go. A failure was told to those who waited for it.
OpenclBuffer::~OpenclBuffer ()
{
  try {
    wait_for (last);
    if (data && memory ()) {
      cl::Event unmapped;
      device.queues ().download.enqueueUnmapMemObject (memory, data, nullptr, &unmapped);
      unmapped.wait ();
    }
  } catch (const cl::Error &) {
  }
}

void OpenclBuffer::settle ()
{
  const std::lock_guard guard (mutex);
  device.attempt ([&] {
    wait_for (last);
    last = {};
    if (!reached || kind == Device::Memory::own || hosted)
      return;
    data = static_cast<std::byte *> (
        device.queues ().download.enqueueMapBuffer (memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size));
    hosted = true;
  });
}

const cl::Buffer &OpenclBuffer::lend ()
{
  const std::lock_guard guard (mutex);
  if (hosted) {
    device.queues ().kernels.enqueueUnmapMemObject (memory, data);
    data = nullptr;
    hosted = false;
  }
  return memory;
}

void OpenclBuffer::until (const cl::Event &event)
{
  const std::lock_guard guard (mutex);
  last = event;
}

Place::Place (const Block &block, size_t begin)
    : buffer (dynamic_cast<OpenclBuffer *> (block.buffer ().get ())), offset (begin)
{
  if (!buffer)
    host = block.buffer ()->data + begin;
}

std::optional<cl::Buffer> Place::direct () const
{
  if (!in_reach () || offset > 0)
    return {};
  return buffer->lend ();
}

const cl::Buffer &Staging::next (size_t bytes)
{
  turn = 1 - turn;
  auto &slot = slots[turn];
  wait_for (slot.last);
  slot.last = {};
  if (slot.bytes < bytes) {
    slot.memory = {};
    slot.memory = cl::Buffer (device.context (), CL_MEM_READ_WRITE, bytes);
    slot.bytes = bytes;
  }
  return slot.memory;
}

const cl::Buffer &Uploads::take (const Place &from, size_t bytes)
{
  source = from.in_reach () ? from.buffer : nullptr;
  staged = false;
  if (auto direct = from.direct ())
    return current = *direct;
  staged = true;
  const auto &memory = current = staging.next (bytes);
  const auto &queues = device.queues ();
  if (source)
    queues.kernels.enqueueCopyBuffer (source->lend (), memory, from.offset, 0, bytes);
  else
    queues.upload.enqueueWriteBuffer (memory, CL_TRUE, 0, bytes, from.address ());
  return current;
}

void Uploads::until (const cl::Event &event)
{
  if (staged)
    staging.until (event);
  if (source)
    source->until (event);
}

const cl::Buffer &Downloads::take (const Place &to, size_t bytes)
{
  staged = false;
  if (auto direct = to.direct ())
    return current = *direct;
  staged = true;
  return current = staging.next (bytes);
}

void Downloads::finish (const Place &to, size_t bytes, const cl::Event &event)
{
  cl::Event done = event;
  const auto &queues = device.queues ();
  if (staged && to.in_reach ()) {
    queues.kernels.enqueueCopyBuffer (current, to.buffer->lend (), 0, to.offset, bytes);
    done = kernels_done (device);
  } else if (staged) {
    const std::vector<cl::Event> after{event};
    queues.download.enqueueReadBuffer (current, CL_FALSE, 0, bytes, to.address (), &after, &done);
    queues.download.flush ();
  }
  if (staged)
    staging.until (done);
  if (to.buffer)
    to.buffer->until (done);
  else
    done.wait ();
}

} // namespace sino
