// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl-memory.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino {

using Use = OpenclBuffer::Use;

MemoryPiece::MemoryPiece (const Block &block, size_t begin)
    : buffer (dynamic_cast<OpenclBuffer *> (block.buffer ().get ())), offset (begin)
{
  if (!buffer)
    host = block.buffer ()->data + begin;
}

std::optional<cl::Buffer> MemoryPiece::direct (const cl::CommandQueue &queue, Use use) const
{
  if (!in_reach () || offset > 0)
    return {};
  return buffer->lend (queue, use);
}

cl::Buffer take_buffer (const OpenclDevice &device, Allotment &allotment, const char *item)
{
  return device.attempt ([&] { return cl::Buffer (device.context (), CL_MEM_READ_WRITE, allotment.claim (item)); });
}

cl::Buffer take_table (const OpenclDevice &device, Allotment &allotment, const char *item, const void *values,
                       size_t bytes)
{
  auto buffer = take_buffer (device, allotment, item);
  require (buffer, bytes, item);
  if (bytes > 0)
    device.attempt ([&] { device.maps ().enqueueWriteBuffer (buffer, CL_TRUE, 0, bytes, values); });
  return buffer;
}

void fill_zeros (const cl::CommandQueue &queue, const cl::Buffer &buffer, size_t bytes)
{
  // Copies reach any place. Fills do not: NVIDIA's drivers count patterns in 32 bits, and beyond that fail, hang or do
  // nothing.
  constexpr size_t piece = size_t{1} << 25; // a GPU's cache may keep it
  const auto first = std::min (bytes, piece), rest = first % sizeof (cl_float4);
  if (first > rest)
    queue.enqueueFillBuffer (buffer, cl_float4{}, 0, first - rest);
  if (rest > 0)
    queue.enqueueFillBuffer (buffer, cl_uchar{}, first - rest, rest);
  for (auto from = piece; from < bytes; from += piece)
    queue.enqueueCopyBuffer (buffer, buffer, 0, from, std::min (piece, bytes - from));
}

void require (const cl::Buffer &buffer, size_t bytes, const char *item)
{
  if (const auto has = buffer.getInfo<CL_MEM_SIZE> (); has < bytes)
    fail (SINO_ERROR_FAILED, "needs %zu bytes for %s, of which its bill has %zu", bytes, item, has);
}

static cl::Event transfer_by (const OpenclDevice &device, const cl::CommandQueue &queue, const MemoryPiece &piece,
                              Use use, const cl::Event &after, const Transfer &transfer)
{
  cl::Event there;
  if (piece.buffer)
    piece.buffer->lend (queue, use);
  hold_transfers (device, queue, after);
  transfer (queue, there);
  queue.flush ();
  if (piece.buffer)
    piece.buffer->until (there, use);
  else
    there.wait ();
  return there;
}

void upload (OpenclQueues &queues, const MemoryPiece &from, const Transfer &transfer)
{
  const auto there = transfer_by (queues.device, queues.upload, from, Use::read, {}, transfer);
  hold (queues.kernels, there);
  queues.transfers_by (OpenclQueues::Queue::upload, there);
}

cl::Event download (OpenclQueues &queues, const MemoryPiece &to, const cl::Event &after, const Transfer &transfer)
{
  auto there = transfer_by (queues.device, queues.download, to, Use::write, after, transfer);
  queues.transfers_by (OpenclQueues::Queue::download, there);
  return there;
}

const cl::Buffer &Staging::for_kernels (const cl::CommandQueue &queue, size_t bytes)
{
  turn = (turn + 1) % slots;
  hold (queue, all[turn].last);
  return memory_of_turn (bytes);
}

const cl::Buffer &Staging::for_upload (const cl::CommandQueue &queue, size_t bytes)
{
  turn = (turn + 1) % slots;
  hold_transfers (device, queue, all[turn].last);
  return memory_of_turn (bytes);
}

const cl::Buffer &Staging::memory_of_turn (size_t bytes)
{
  auto &slot = all[turn];
  slot.last = {};
  if (!slot.memory ())
    slot.memory = take_buffer (device, allotment, item);
  require (slot.memory, bytes, item);
  return slot.memory;
}

const cl::Buffer &Uploads::take (const MemoryPiece &from, size_t bytes)
{
  source = from.in_reach () ? from.buffer : nullptr;
  staged = false;
  if (auto direct = from.direct (queues.kernels, Use::read))
    return current = *direct;
  staged = true;
  const auto &memory = current =
      source ? staging.for_kernels (queues.kernels, bytes) : staging.for_upload (queues.upload, bytes);
  if (source)
    queues.kernels.enqueueCopyBuffer (source->lend (queues.kernels, Use::read), memory, from.offset, 0, bytes);
  else
    upload (queues, from, [&] (const cl::CommandQueue &queue, cl::Event &there) {
      queue.enqueueWriteBuffer (memory, CL_FALSE, 0, bytes, from.address (), nullptr, &there);
    });
  return current;
}

void Uploads::until (const cl::Event &event)
{
  if (staged)
    staging.until (event);
  if (source)
    source->until (event, Use::read);
}

const cl::Buffer &Downloads::take (const MemoryPiece &to, size_t bytes)
{
  staged = false;
  if (auto direct = to.direct (queues.kernels, Use::write))
    return current = *direct;
  staged = true;
  return current = staging.for_kernels (queues.kernels, bytes);
}

void Downloads::finish (const MemoryPiece &to, size_t bytes, const cl::Event &event)
{
  if (!staged)
    return to.buffer->until (event, Use::write);
  if (!to.in_reach ())
    return staging.until (download (queues, to, event, [&] (const cl::CommandQueue &queue, cl::Event &there) {
      queue.enqueueReadBuffer (current, CL_FALSE, 0, bytes, to.address (), nullptr, &there);
    }));
  queues.kernels.enqueueCopyBuffer (current, to.buffer->lend (queues.kernels, Use::write), 0, to.offset, bytes);
  const auto done = kernels_done (queues);
  to.buffer->until (done, Use::write);
  staging.until (done);
}

} // namespace sino
