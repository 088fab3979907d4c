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

cl::Buffer take_buffer (const OpenclDevice &device, Allotment &allotment, const char *item)
{
  return {device.context (), CL_MEM_READ_WRITE, allotment.claim (item)};
}

void require (const cl::Buffer &buffer, size_t bytes, const char *item)
{
  if (const auto has = buffer.getInfo<CL_MEM_SIZE> (); has < bytes)
    fail (SINO_ERROR_FAILED, "needs %zu bytes for %s, of which its bill has %zu", bytes, item, has);
}

const cl::Buffer &Staging::next (size_t bytes)
{
  turn = 1 - turn;
  auto &slot = slots[turn];
  wait_for (slot.last);
  slot.last = {};
  if (!slot.memory ())
    slot.memory = take_buffer (device, allotment, item);
  require (slot.memory, bytes, item);
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
