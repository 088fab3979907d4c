// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/frame-workers.hpp"
#include "glue/gathered-worker.hpp"
#include <cstring>

namespace sino::app {

void check_number (int64_t wanted, int64_t came)
{
  if (came > wanted)
    fail (SINO_ERROR_FAILED,
          "frame %lld came after frame %lld: frames between them are lost; set missing=skip to continue without them",
          static_cast<long long> (came), static_cast<long long> (wanted - 1));
}

void fail_short (int64_t came, int64_t wanted)
{
  fail (SINO_ERROR_FAILED,
        "the scan ended after %lld of %lld frames: set short-scan=finish to reconstruct the existing frames",
        static_cast<long long> (came), static_cast<long long> (wanted));
}

// Waits until `rest` has frame number `frame`; false after the last frame.
bool QueueWorker::fetch (int64_t frame)
{
  if (rest.count > 0)
    return true;
  auto more = queue.pop ();
  monitor.check ();
  if (!more)
    return false;
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
    if (rest.count >= end - begin && push_in_place (*output, format, rest.memory)) {
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
    const auto bytes = static_cast<size_t> (some) * rest.shape.bytes ();
    std::memcpy (to, rest.memory.get (), bytes);
    to += bytes;
    frame += some;
    rest.drop_first (some);
  }
}

} // namespace sino::app
