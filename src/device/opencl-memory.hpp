// SPDX-License-Identifier: LGPL-3.0-or-later
// Memory of blocks on an OpenCL device, and how a worker there reaches the blocks that come in and go out.
//
// All kernels of a device run in one queue, in order, so what one of them left in device memory is there for the next.
// Uploads and downloads have queues of their own beside it.
#pragma once
#include "device/bill.hpp"
#include "device/opencl.hpp"
#include <exception>

namespace sino {

// A piece of memory that a worker reads or fills: of a block, or the host's.
struct SINO_VISIBLE Place {
  std::byte *host = nullptr;
  OpenclBuffer *buffer = nullptr; // null: plain memory
  size_t offset = 0;              // in it, bytes

  Place (std::byte *plain) : host (plain) {}
  Place (const Block &block, size_t offset = 0);

  bool in_reach () const { return buffer && buffer->in_reach (); }
  std::byte *address () const { return buffer ? buffer->data + offset : host; }
  // As a buffer of the device that begins there, where there is one. (Parts of buffers are none: drivers of NVIDIA
  // crash when several threads make and drop parts of one.)
  std::optional<cl::Buffer> direct () const;
};

// A buffer that is a piece of an item of the bill.
SINO_VISIBLE cl::Buffer take_buffer (const OpenclDevice &device, Allotment &allotment, const char *item);
// Throws Error when a buffer that was taken is too small, because its bill was wrong.
SINO_VISIBLE void require (const cl::Buffer &buffer, size_t bytes, const char *item);

// Two buffers of the device by turns: while kernels work with one, the other is transferred.
class SINO_VISIBLE Staging
{
public:
  // The item has two pieces.
  Staging (const OpenclDevice &d, Allotment &a, const char *i) : device (d), allotment (a), item (i) {}

  // The next one, once no command works with it any more.
  const cl::Buffer &next (size_t bytes);
  // After which the one that next () gave is free again.
  void until (const cl::Event &event) { slots[turn].last = event; }

private:
  struct Slot {
    cl::Buffer memory;
    cl::Event last;
  };
  const OpenclDevice &device;
  Allotment &allotment;
  const char *const item;
  Slot slots[2];
  size_t turn = 0;
};

// What comes in.
class SINO_VISIBLE Uploads
{
public:
  static constexpr char item[] = "copies of blocks that come in";
  Uploads (const OpenclDevice &d, Allotment &a) : device (d), staging (d, a, item) {}

  // A place's content for kernels that are put in the queue until the next call; the host's memory may be used again
  // at once. (It is held here: a kernel does not hold its arguments before it is in the queue.)
  const cl::Buffer &take (const Place &from, size_t bytes);
  // The last command that works with what take () gave.
  void until (const cl::Event &event);

private:
  const OpenclDevice &device;
  Staging staging;
  OpenclBuffer *source = nullptr;
  cl::Buffer current;
  bool staged = false;
};

// What goes out.
class SINO_VISIBLE Downloads
{
public:
  static constexpr char item[] = "copies of blocks that go out";
  Downloads (const OpenclDevice &d, Allotment &a) : device (d), staging (d, a, item) {}

  // Where kernels put what has to come to a place, until the next call.
  const cl::Buffer &take (const Place &to, size_t bytes);
  // After the last kernel that writes it: brings it to its place. A block of shared memory can be handed on at once.
  void finish (const Place &to, size_t bytes, const cl::Event &event);

private:
  const OpenclDevice &device;
  Staging staging;
  cl::Buffer current;
  bool staged = false;
};

// For a worker that puts commands in queues: when it fails, what they work with stays until they have ended.
class SINO_VISIBLE IdleAfterFailure
{
public:
  explicit IdleAfterFailure (const OpenclDevice &d) : device (d) {}
  ~IdleAfterFailure ();
  IdleAfterFailure (const IdleAfterFailure &) = delete;
  IdleAfterFailure &operator= (const IdleAfterFailure &) = delete;

private:
  const OpenclDevice &device;
  const int before = std::uncaught_exceptions ();
};

// After what is in the kernels' queue so far.
SINO_VISIBLE cl::Event kernels_done (const OpenclDevice &device);

} // namespace sino
