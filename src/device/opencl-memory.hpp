// SPDX-License-Identifier: LGPL-3.0-or-later
// Memory of blocks on an OpenCL device, and how a worker there reaches the blocks that come in and go out.
//
// Commands of one queue run in their order. Those of different queues are ordered by events alone. The rule:
//
// A buffer of a block (OpenclBuffer) knows the last command that writes it, and the last one of each queue that reads
// it since. Before a command uses it, its queue is made to wait (`lend`): to read, for the one that writes; to write,
// for all. The host waits for all (`settle`). A queue does not wait for itself.
//
// After its last command, and before it lets go of the block, a worker leaves an event of its queue, flushed (`until`).
// A block that is written is in one worker's hands, so a writer's event takes the place of all others: it waited for
// them. Thus a block may go on to the next node, or back to its pool, with commands still to come, and who uses it next
// waits for them on the device.
//
// Memory of one worker (Staging) passes between its queues by events alike. Every event that is waited for is of a
// command that is in its queue already: no wait goes round in a circle. Pages of the host that are no OpenclBuffer know
// no events: transfers from and to them are waited for.
#pragma once
#include "device/bill.hpp"
#include "device/opencl-queues.hpp"
#include <functional>

namespace sino {

// A piece of memory that a worker reads or fills: of a block, or the host's.
struct SINO_VISIBLE MemoryPiece {
  std::byte *host = nullptr;
  OpenclBuffer *buffer = nullptr; // null: plain memory
  size_t offset = 0;              // in it, bytes

  MemoryPiece (std::byte *plain) : host (plain) {}
  MemoryPiece (const Block &block, size_t offset = 0);

  bool in_reach () const { return buffer && buffer->in_reach (); }
  std::byte *address () const { return buffer ? buffer->data + offset : host; }
  // The device's buffer that begins at this place, lent to the queue; none where no buffer begins here. (Sub-buffers
  // are not used: NVIDIA's drivers crash when several threads make and drop sub-buffers of one buffer.)
  std::optional<cl::Buffer> direct (const cl::CommandQueue &queue, OpenclBuffer::Use use) const;
};

// A buffer that is a piece of an item of the bill.
SINO_VISIBLE cl::Buffer take_buffer (const OpenclDevice &device, Allotment &allotment, const char *item);
// The same, with values of the host, which are there when it returns.
SINO_VISIBLE cl::Buffer take_table (const OpenclDevice &device, Allotment &allotment, const char *item,
                                    const void *values, size_t bytes);
template <class T>
cl::Buffer take_table (const OpenclDevice &device, Allotment &allotment, const char *item, const std::vector<T> &values)
{
  return take_table (device, allotment, item, values.data (), values.size () * sizeof (T));
}
// Throws Error when a buffer that was taken is too small, because its bill was wrong.
SINO_VISIBLE void require (const cl::Buffer &buffer, size_t bytes, const char *item);

// Puts a transfer in a queue, and says which command it is.
using Transfer = std::function<void (const cl::CommandQueue &queue, cl::Event &transferred)>;
// From a place that kernels do not reach. Kernels that are put in their queue from now on wait for it.
SINO_VISIBLE void upload (OpenclQueues &queues, const MemoryPiece &from, const Transfer &transfer);
// To such a place, after an event.
SINO_VISIBLE cl::Event download (OpenclQueues &queues, const MemoryPiece &to, const cl::Event &after,
                                 const Transfer &transfer);

// Buffers of the device by turns: while kernels work with one, another is transferred, and a third waits for either.
class SINO_VISIBLE Staging
{
public:
  static constexpr size_t slots = 3; // pieces of the item

  Staging (const OpenclDevice &d, Allotment &a, const char *i) : device (d), allotment (a), item (i) {}

  // The next one, for commands that are put in the queue from now on: they wait for those that work with it.
  const cl::Buffer &next (const cl::CommandQueue &queue, size_t bytes);
  // After which the one that next () gave is free again.
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
};

// What comes in.
class SINO_VISIBLE Uploads
{
public:
  static constexpr char item[] = "copies of blocks that come in";
  Uploads (OpenclQueues &q, Allotment &a) : queues (q), staging (q.device, a, item) {}

  // A place's content for kernels that are put in the queue until the next call. Does not wait, but for memory that is
  // no OpenclBuffer, which may be used again at once. (It is held here: a kernel does not hold its arguments before it
  // is in the queue.)
  const cl::Buffer &take (const MemoryPiece &from, size_t bytes);
  // The last command, in the kernels' queue, that works with what take () gave.
  void until (const cl::Event &event);

private:
  OpenclQueues &queues;
  Staging staging;
  OpenclBuffer *source = nullptr; // that kernels use where it lies
  cl::Buffer current;
  bool staged = false;
};

// What goes out.
class SINO_VISIBLE Downloads
{
public:
  static constexpr char item[] = "copies of blocks that go out";
  Downloads (OpenclQueues &q, Allotment &a) : queues (q), staging (q.device, a, item) {}

  // Where kernels put what has to come to a place, until the next call.
  const cl::Buffer &take (const MemoryPiece &to, size_t bytes);
  // After the last kernel that writes it: brings it to its place. A block of shared memory can be handed on at once.
  void finish (const MemoryPiece &to, size_t bytes, const cl::Event &event);

private:
  OpenclQueues &queues;
  Staging staging;
  cl::Buffer current;
  bool staged = false;
};

} // namespace sino
