// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/frame-queue.hpp"
#include <utility>

namespace sino::app {

void Chunk::drop_first (int64_t few)
{
  memory = {memory, memory.get () + static_cast<size_t> (few) * frame_bytes};
  count -= few;
  number += few;
  if (!angles.empty ())
    angles.erase (angles.begin (), angles.begin () + few);
}

// --- the program ---

void FrameQueue::check (Chunk &frames, const Bounds &bounds) const
{
  if (!closed.empty ())
    fail (SINO_ERROR_FAILED, "no frame can be pushed: %s", closed.c_str ());
  if (ended)
    fail (SINO_ERROR_FAILED, "no frame can be pushed after the end of the stream: 'begin' starts a new scan");
  if (frames.number < 0)
    frames.number = next;
  if (frames.number < next)
    fail (SINO_ERROR_FAILED, "frame %lld was pushed after frame %lld: numbers have to rise",
          static_cast<long long> (frames.number), static_cast<long long> (next - 1));
  if (bounds.scan > 0 && frames.number > bounds.scan - frames.count)
    fail (SINO_ERROR_FAILED, "frame %lld was pushed, and the scan has %lld frames, the first one being 0: set 'frames'",
          static_cast<long long> (frames.number + frames.count - 1), static_cast<long long> (bounds.scan));
}

bool FrameQueue::room (const Chunk &frames, const Bounds &bounds) const
{
  if (waiting.empty ())
    return true;
  return (bounds.bytes == 0 || bytes + static_cast<int64_t> (frames.bytes ()) <= bounds.bytes) &&
         (bounds.buffers == 0 || std::ssize (waiting) < bounds.buffers);
}

// Unlocked, as the last reference to the program's object may go meanwhile.
void FrameQueue::tell (std::unique_lock<std::mutex> &held, bool needs)
{
  if (!watcher)
    return;
  const auto call = watcher;
  const auto waits = bytes;
  held.unlock ();
  call (needs, waits);
  held.lock ();
}

FrameQueue::Pushed FrameQueue::push (Chunk frames, const Bounds &bounds, bool wait)
{
  const bool numbered = frames.number >= 0;
  std::unique_lock held (mutex);
  check (frames, bounds);
  const bool full = !room (frames, bounds);
  if (full && bounds.leaky == Leaky::none) {
    tell (held, false);
    if (!wait)
      return Pushed::full;
    changed.wait (held, [&] { return !closed.empty () || ended || room (frames, bounds); });
    if (!numbered)
      frames.number = -1; // another thread may have pushed meanwhile
    check (frames, bounds);
  }
  const auto after = frames.number + frames.count;
  if (full && bounds.leaky == Leaky::upstream) {
    next = after;
    pushed += frames.count;
    dropped += frames.count;
    return Pushed::dropped;
  }
  std::deque<Chunk> gone; // outside the lock
  while (bounds.leaky == Leaky::downstream && !room (frames, bounds)) {
    gone.push_back (std::move (waiting.front ()));
    waiting.pop_front ();
    dropped += gone.back ().count;
    bytes -= static_cast<int64_t> (gone.back ().bytes ());
  }
  next = after;
  pushed += frames.count;
  bytes += static_cast<int64_t> (frames.bytes ());
  waiting.push_back (std::move (frames));
  held.unlock ();
  changed.notify_all ();
  return gone.empty () ? Pushed::taken : Pushed::dropped;
}

void FrameQueue::end_of_stream ()
{
  {
    const std::lock_guard held (mutex);
    ended = true;
  }
  changed.notify_all ();
}

void FrameQueue::begin ()
{
  std::deque<Chunk> gone;
  const std::lock_guard held (mutex);
  if (owner)
    fail (SINO_ERROR_FAILED, "a run is taking the frames of a scan: a new one begins when it has ended");
  gone.swap (waiting);
  bytes = pushed = dropped = next = 0;
  ended = unlocked = false;
  closed.clear ();
}

void FrameQueue::forsake ()
{
  {
    const std::lock_guard held (mutex);
    forsaken = true;
  }
  changed.notify_all ();
}

FrameQueue::Level FrameQueue::level () const
{
  const std::lock_guard held (mutex);
  int64_t frames = 0;
  for (const auto &each : waiting)
    frames += each.count;
  return {bytes, std::ssize (waiting), frames, pushed, dropped};
}

void FrameQueue::watch (Watch w)
{
  const std::lock_guard held (mutex);
  watcher = std::move (w);
}

// --- the run ---

void FrameQueue::attach (const void *user)
{
  const std::lock_guard held (mutex);
  if (owner)
    fail (SINO_ERROR_FAILED, "another run is taking its frames: use an object of its own for each run at a time");
  if (!closed.empty ())
    fail (SINO_ERROR_FAILED, "the frames of the scan were taken: 'begin' starts a new one");
  owner = user;
  unlocked = false;
}

std::optional<Chunk> FrameQueue::pop ()
{
  std::unique_lock held (mutex);
  if (waiting.empty () && !ended && !unlocked && !forsaken)
    tell (held, true);
  changed.wait (held, [this] { return unlocked || ended || forsaken || !waiting.empty (); });
  if (unlocked)
    throw Cancelled ();
  if (waiting.empty () && forsaken && !ended)
    fail (SINO_ERROR_FAILED, "no more frames come: the program has dropped the object that it pushed them to");
  if (waiting.empty ())
    return {};
  auto frames = std::move (waiting.front ());
  waiting.pop_front ();
  bytes -= static_cast<int64_t> (frames.bytes ());
  held.unlock ();
  changed.notify_all ();
  return frames;
}

void FrameQueue::unlock (const void *user)
{
  {
    const std::lock_guard held (mutex);
    unlocked = unlocked || owner == user;
  }
  changed.notify_all ();
}

void FrameQueue::close (const void *user, const std::string &why)
{
  std::deque<Chunk> gone;
  {
    const std::lock_guard held (mutex);
    if (owner && owner != user)
      return;
    if (closed.empty ())
      closed = why;
    gone.swap (waiting);
    bytes = 0;
  }
  changed.notify_all ();
}

bool FrameQueue::leave (const void *user) noexcept
{
  {
    const std::lock_guard held (mutex);
    if (owner != user)
      return false;
  }
  close (user, "the run that took them has ended: 'begin' starts a new scan");
  const std::lock_guard held (mutex);
  owner = nullptr;
  return true;
}

} // namespace sino::app
