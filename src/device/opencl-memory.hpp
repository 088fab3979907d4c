// SPDX-License-Identifier: LGPL-3.0-or-later
// Memory of blocks on an OpenCL device, and how a worker there accesses its input and output blocks.
//
// Commands of one queue run in order. Commands of different queues are ordered by events only. The rule:
//
// The buffer of a block (OpenclBuffer) records the last command that writes it, and for each queue the last command
// that reads it after that. Before a command uses the buffer, its queue is made to wait (`lend`): a reader waits for
// the writer, a writer waits for all. The host waits for all (`settle`). A queue does not wait for itself.
//
// A worker records a flushed event of its queue (`until`) after its last command and before it releases the block. Only
// one worker at a time has a block that is written, and the writer has waited for all others, so its event replaces
// theirs. Thus a block can be passed to the next node, or return to its pool, before its commands have run; the next
// user waits for them on the device.
//
// Memory of one worker (Staging) is passed between its queues by events in the same way. Each queue waits only for
// commands that are already enqueued, so no wait is circular. Host memory that is no OpenclBuffer has no events: the
// worker waits for transfers from and to it.
#pragma once
#include "device/bill.hpp"
#include "device/opencl-queues.hpp"
#include <functional>

namespace sino {

// Memory that a worker reads or fills: of a block, or of the host.
struct SINO_VISIBLE MemoryPiece {
  std::byte *host = nullptr;
  OpenclBuffer *buffer = nullptr; // null: plain host memory
  size_t offset = 0;              // position in the buffer, in bytes

  MemoryPiece (std::byte *plain) : host (plain) {}
  MemoryPiece (const Block &block, size_t offset = 0);

  bool in_reach () const { return buffer && buffer->in_reach (); }
  std::byte *address () const { return buffer ? buffer->data + offset : host; }
  // The device buffer that begins at this place, lent to the queue; none if no buffer begins here. (Sub-buffers of
  // blocks are not used: NVIDIA's drivers crash when several threads create and release sub-buffers of one buffer.)
  std::optional<cl::Buffer> direct (const cl::CommandQueue &queue, OpenclBuffer::Use use) const;
};

// Allocates a buffer that is a piece of an item of the bill.
SINO_VISIBLE cl::Buffer take_buffer (const OpenclDevice &device, Allotment &allotment, const char *item);
// Like take_buffer (), filled with values of the host before it returns.
SINO_VISIBLE cl::Buffer take_table (const OpenclDevice &device, Allotment &allotment, const char *item,
                                    const void *values, size_t bytes);
template <class T>
cl::Buffer take_table (const OpenclDevice &device, Allotment &allotment, const char *item, const std::vector<T> &values)
{
  return take_table (device, allotment, item, values.data (), values.size () * sizeof (T));
}
// Enqueues commands that set the first bytes of a buffer to zero, for buffers of any size.
SINO_VISIBLE void fill_zeros (const cl::CommandQueue &queue, const cl::Buffer &buffer, size_t bytes);
// Throws Error if a buffer is too small, because its bill was wrong.
SINO_VISIBLE void require (const cl::Buffer &buffer, size_t bytes, const char *item);

// Enqueues a transfer and returns its event.
using Transfer = std::function<void (const cl::CommandQueue &queue, cl::Event &transferred)>;
// Uploads from memory that kernels cannot access. Kernels that are enqueued later wait for it.
SINO_VISIBLE void upload (OpenclQueues &queues, const MemoryPiece &from, const Transfer &transfer);
// Downloads to such memory, after an event.
SINO_VISIBLE cl::Event download (OpenclQueues &queues, const MemoryPiece &to, const cl::Event &after,
                                 const Transfer &transfer);

// Several device buffers used in turn: kernels work with one while another is transferred and a third waits for either.
class SINO_VISIBLE Staging
{
public:
  static constexpr size_t slots = 3; // pieces of the item in the bill

  Staging (const OpenclDevice &d, Allotment &a, const char *i) : device (d), allotment (a), item (i) {}

  // The next buffer, for kernels or for uploads that are enqueued in the queue after this call; they wait for earlier
  // commands that use the buffer.
  const cl::Buffer &for_kernels (const cl::CommandQueue &queue, size_t bytes);
  const cl::Buffer &for_upload (const cl::CommandQueue &queue, size_t bytes);
  // Sets the event after which the buffer is free again.
  void until (const cl::Event &event) { all[turn].last = event; }

private:
  struct Slot {
    cl::Buffer memory;
    cl::Event last;
  };
  const OpenclDevice &device;
  Allotment &allotment;
  const char *const item;
  Slot all[slots];
  size_t turn = 0;

  const cl::Buffer &memory_of_turn (size_t bytes);
};

// Transfers of input blocks to the device.
class SINO_VISIBLE Uploads
{
public:
  static constexpr char item[] = "copies of input blocks";
  Uploads (OpenclQueues &q, Allotment &a) : queues (q), staging (q.device, a, item) {}

  // The content at a place, for kernels that are enqueued until the next call. Waits only for memory that is no
  // OpenclBuffer, as that may be reused at once. (The buffer is stored here, because a kernel does not keep its
  // arguments until it is enqueued.)
  const cl::Buffer &take (const MemoryPiece &from, size_t bytes);
  // Sets the last command, in the kernels' queue, that uses the buffer of take ().
  void until (const cl::Event &event);

private:
  OpenclQueues &queues;
  Staging staging;
  OpenclBuffer *source = nullptr; // a block that kernels use where it lies
  cl::Buffer current;
  bool staged = false;
};

// Transfers of output blocks from the device.
class SINO_VISIBLE Downloads
{
public:
  static constexpr char item[] = "copies of output blocks";
  Downloads (OpenclQueues &q, Allotment &a) : queues (q), staging (q.device, a, item) {}

  // The buffer into which kernels write the content of a place, until the next call.
  const cl::Buffer &take (const MemoryPiece &to, size_t bytes);
  // Brings the buffer to its place after `event`, the last kernel that writes it. A block in shared memory can be
  // passed on at once.
  void finish (const MemoryPiece &to, size_t bytes, const cl::Event &event);

private:
  OpenclQueues &queues;
  Staging staging;
  cl::Buffer current;
  bool staged = false;
};

} // namespace sino
