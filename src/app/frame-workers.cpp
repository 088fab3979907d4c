// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/frame-workers.hpp"
#include <cstring>

namespace sino::app {

void check_size (size_t wanted, size_t came)
{
  if (came != wanted)
    fail (SINO_ERROR_BAD_FORMAT,
          "frames of %zu bytes were pushed, and rows, columns and element say %zu by now: set these before the first "
          "push of a scan",
          came, wanted);
}

void check_number (int64_t wanted, int64_t came)
{
  if (came > wanted)
    fail (SINO_ERROR_FAILED, "frame %lld came after frame %lld: those between were lost; missing=skip goes on without",
          static_cast<long long> (came), static_cast<long long> (wanted - 1));
}

void fail_short (int64_t came, int64_t wanted)
{
  fail (SINO_ERROR_FAILED, "the scan ended after %lld of %lld frames: short-scan=finish reconstructs those that came",
        static_cast<long long> (came), static_cast<long long> (wanted));
}

namespace {

// What the program owns, as long as blocks use it.
struct Pushed final : Buffer {
  Pushed (std::shared_ptr<const std::byte> m, size_t bytes)
      : Buffer (const_cast<std::byte *> (m.get ()), bytes), memory (std::move (m)) // is only read
  {
  }
  const std::shared_ptr<const std::byte> memory;
};

// Kernels read values, not bytes.
bool is_aligned (const std::byte *memory, const Format &format)
{
  return reinterpret_cast<uintptr_t> (memory) % size_of (format.element) == 0;
}

} // namespace

// Whether frames wait; false after the last.
bool QueueWorker::fetch (int64_t frame)
{
  if (rest.count > 0)
    return true;
  auto more = queue.pop ();
  monitor.check ();
  if (!more)
    return false;
  check_size (static_cast<size_t> (format.rows () * format.line ()) * size_of (format.element), more->frame_bytes);
  check_number (frame, more->number);
  rest = std::move (*more);
  return true;
}

void QueueWorker::run (std::span<Input *const>, Output *output)
{
  while (const Region *coming = output->coming ()) {
    const auto [begin, end] = coming->angles;
    if (!fetch (begin))
      fail_short (begin, format.angles ());
    if (rest.count >= end - begin && is_aligned (rest.memory.get (), format)) {
      const auto bytes = static_cast<size_t> (end - begin) * rest.frame_bytes;
      output->push (output->next_in (std::make_shared<Pushed> (rest.memory, bytes)));
      rest.drop_first (end - begin);
      continue;
    }
    Block block = output->next ();
    copy_into (block);
    output->push (std::move (block));
  }
  rest = {};
}

void QueueWorker::copy_into (Block &block)
{
  auto *to = block.data ();
  for (auto frame = block.angles ().begin; frame < block.angles ().end;) {
    if (!fetch (frame))
      fail_short (frame, format.angles ());
    const auto some = std::min (rest.count, block.angles ().end - frame);
    const auto bytes = static_cast<size_t> (some) * rest.frame_bytes;
    std::memcpy (to, rest.memory.get (), bytes);
    to += bytes;
    frame += some;
    rest.drop_first (some);
  }
}

void GatheredWorker::run (std::span<Input *const>, Output *output)
{
  while (const Region *coming = output->coming ()) {
    const auto [begin, end] = coming->angles;
    const bool all_rows = coming->rows == Rows (0, format.rows ());
    if (auto memory = all_rows ? frames->whole (begin, end - begin) : nullptr;
        memory && is_aligned (memory.get (), format)) {
      const auto bytes =
          static_cast<size_t> ((end - begin) * format.rows () * format.line ()) * size_of (format.element);
      output->push (output->next_in (std::make_shared<Pushed> (std::move (memory), bytes)));
      continue;
    }
    Block block = output->next ();
    frames->read (block);
    output->push (std::move (block));
  }
}

} // namespace sino::app
