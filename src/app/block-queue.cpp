// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/block-queue.hpp"
#include "device/device.hpp"
#include "stream/host-buffer.hpp"
#include <algorithm>
#include <utility>

namespace sino::app {

// A waiting call reads the bounds again after this time, because no signal reports a change of them.
constexpr auto look_again = std::chrono::milliseconds (50);

// Memory of a block. It returns to the queue when nobody uses it any more.
struct BlockQueue::Lent final : HostBuffer {
  Lent (const std::shared_ptr<BlockQueue> &q, std::unique_ptr<Buffer> p, std::shared_ptr<Buffer> n)
      : HostBuffer (p->data, p->size), queue (q), pages (std::move (p)), place (std::move (n))
  {
  }
  ~Lent () override
  {
    if (const auto back = queue.lock ())
      back->give_back (std::move (pages), pulled);
  }

  const std::weak_ptr<BlockQueue> queue; // weak, because the queue owns blocks that wait
  std::unique_ptr<Buffer> pages;
  std::shared_ptr<Buffer> place;
  bool pulled = false; // the program has pulled the block
};

std::shared_ptr<Buffer> BlockQueue::lend (size_t size, std::shared_ptr<Buffer> place)
{
  std::unique_ptr<Buffer> pages;
  {
    const std::lock_guard guard (mutex);
    const auto fit = std::ranges::find_if (unused, [&] (const auto &p) { return p->size == size; });
    if (fit != unused.end ()) {
      pages = std::move (*fit);
      unused.erase (fit);
    }
  }
  if (!pages)
    pages = allocate_pages (size);
  return std::make_shared<Lent> (shared_from_this (), std::move (pages), std::move (place));
}

bool BlockQueue::is_lent (const Block &block)
{
  return dynamic_cast<const Lent *> (block.buffer ().get ());
}

void BlockQueue::give_back (std::unique_ptr<Buffer> buffer, bool was_held) noexcept
{
  constexpr size_t spare = 2;
  const std::lock_guard guard (mutex);
  if (was_held) {
    held -= static_cast<int64_t> (buffer->size);
    stopped_since = Clock::now ();
  }
  if (owner && !ended && unused.size () < spare)
    try {
      unused.push_back (std::move (buffer));
    } catch (...) { // the buffer is freed
    }
  changed.notify_all ();
}

// --- the program ---

BlockQueue::Pulled BlockQueue::pull (std::chrono::microseconds time)
{
  const auto deadline = time.count () < 0 ? Clock::time_point::max () : Clock::now () + time;
  std::unique_lock guard (mutex);
  while (waiting.empty () && !ended && closed.empty ()) {
    const auto now = Clock::now ();
    if (now >= deadline)
      return {State::late, {}};
    if (stopped && now >= stopped_since + patience)
      fail (SINO_ERROR_MEMORY,
            "the program holds %s of blocks, the limit of max-bytes, so that no more blocks come: release some, raise "
            "max-bytes, or set whole=true to get one block",
            bytes_text (static_cast<double> (held)).c_str ());
    changed.wait_until (guard, std::min (deadline, stopped ? stopped_since + patience : now + patience));
  }
  if (waiting.empty ()) {
    if (!closed.empty ())
      fail (SINO_ERROR_FAILED, "no more blocks come: %s", closed.c_str ());
    return {State::end, {}};
  }
  Block block = std::move (waiting.front ());
  waiting.pop_front ();
  bytes -= static_cast<int64_t> (block.buffer ()->size);
  if (auto *lent = dynamic_cast<Lent *> (block.buffer ().get ())) {
    held += static_cast<int64_t> (lent->size);
    lent->pulled = true;
  }
  guard.unlock ();
  changed.notify_all ();
  return {State::block, std::move (block)};
}

bool BlockQueue::at_end () const
{
  const std::lock_guard guard (mutex);
  return waiting.empty () && ended;
}

bool BlockQueue::full () const
{
  const std::lock_guard guard (mutex);
  return stopped && !unlocked && !forsaken;
}

BlockQueue::Level BlockQueue::level () const
{
  const std::lock_guard guard (mutex);
  return {bytes, std::ssize (waiting), held};
}

void BlockQueue::forsake ()
{
  std::deque<Block> gone; // freed after the lock, because their memory returns to the queue, which takes the lock
  const std::lock_guard guard (mutex);
  forsaken = true;
  gone.swap (waiting);
  bytes = 0;
  changed.notify_all ();
}

void BlockQueue::watch (std::function<void ()> w)
{
  const std::lock_guard guard (mutex);
  watcher = std::move (w);
}

// --- the run ---

void BlockQueue::expect ()
{
  std::deque<Block> gone; // freed after the lock, because their memory returns to the queue, which takes the lock
  const std::lock_guard guard (mutex);
  if (owner)
    return;
  gone.swap (waiting);
  bytes = 0;
  ended = unlocked = false;
  closed.clear ();
}

void BlockQueue::attach (const void *user)
{
  const std::lock_guard guard (mutex);
  if (owner == user)
    return; // attached in an earlier pass
  if (owner)
    fail (SINO_ERROR_FAILED, "another run uses this object: use a separate object for each simultaneous run");
  owner = user;
  unlocked = false;
}

void BlockQueue::push (Block block, const std::function<Bounds ()> &bounds)
{
  if (auto *lent = dynamic_cast<Lent *> (block.buffer ().get ()))
    lent->place.reset ();
  const auto size = static_cast<int64_t> (block.buffer ()->size);
  std::unique_lock guard (mutex);
  const auto room = [&] {
    const auto [most_bytes, most_buffers] = bounds ();
    return unlocked || forsaken ||
           ((most_bytes == 0 || bytes + held == 0 || bytes + held + size <= most_bytes) &&
            (most_buffers == 0 || std::ssize (waiting) < most_buffers));
  };
  if (!room ()) {
    stopped = true;
    stopped_since = Clock::now ();
    changed.notify_all ();
    while (!changed.wait_for (guard, look_again, room)) {
    }
    stopped = false;
  }
  if (unlocked)
    throw Cancelled ();
  if (forsaken)
    return;
  bytes += size;
  waiting.push_back (std::move (block));
  const auto tell = watcher;
  guard.unlock ();
  changed.notify_all ();
  if (tell)
    tell ();
}

void BlockQueue::finish (const void *user)
{
  const std::lock_guard guard (mutex);
  ended = ended || owner == user;
  unused.clear ();
  changed.notify_all ();
}

void BlockQueue::unlock (const void *user)
{
  const std::lock_guard guard (mutex);
  unlocked = unlocked || owner == user;
  changed.notify_all ();
}

void BlockQueue::close (const void *user, const std::string &why)
{
  const std::lock_guard guard (mutex);
  if ((owner && owner != user) || ended || !closed.empty ())
    return;
  closed = why;
  unused.clear ();
  changed.notify_all ();
}

void BlockQueue::leave (const void *user) noexcept
{
  const std::lock_guard guard (mutex);
  if (owner != user)
    return;
  owner = nullptr;
  unused.clear ();
  if (!ended && closed.empty ())
    closed = "the run ended without them";
  changed.notify_all ();
}

} // namespace sino::app
