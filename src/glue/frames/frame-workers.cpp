// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/frames/frame-workers.hpp"
#include "glue/gathered-worker.hpp"
#include <cstring>

namespace sino {

// Waits until `rest` has the next frame; false after the last one.
bool QueueWorker::fetch ()
{
  if (rest.count > 0)
    return true;
  auto more = gaps.pop ();
  if (!more)
    more = gaps.pop_to (queue.next_number ());
  monitor.check ();
  if (more) {
    monitor.frames_came (more->count);
    rest = std::move (*more);
  }
  return more.has_value ();
}

void QueueWorker::run (std::span<Input *const>, Output *output)
{
  while (const Region *coming = output->coming ()) {
    const auto [begin, end] = coming->angles;
    if (!fetch ())
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
    if (!fetch ())
      fail_short (frame, format.angles ());
    const auto some = std::min (rest.count, block.angles ().end - frame);
    const auto bytes = static_cast<size_t> (some) * rest.shape.bytes ();
    std::memcpy (to, rest.memory.get (), bytes);
    to += bytes;
    frame += some;
    rest.drop_first (some);
  }
}

} // namespace sino
