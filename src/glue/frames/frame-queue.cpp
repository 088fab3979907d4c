// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/frames/frame-queue.hpp"
#include <algorithm>
#include <utility>

namespace sino {

// --- the program ---

// Throws if frames do not fit the scan: their shape, their numbers, or the state of the queue.
void FrameQueue::check (const Chunk &frames, const Bounds &bounds) const
{
  const auto number = static_cast<long long> (frames.number);
  if (!closed.empty ())
    fail (SINO_ERROR_FAILED, "no frame can be pushed: %s", closed.c_str ());
  if (shape && !(frames.shape == *shape))
    fail (SINO_ERROR_BAD_FORMAT,
          "a frame of %s was pushed, but the frames of the scan are %s: 'begin' starts a new scan",
          frames.shape.describe ().c_str (), shape->describe ().c_str ());
  if (frames.number < arrivals.next () && bounds.window == 0 && !came_again (frames, bounds))
    fail (SINO_ERROR_LOST_FRAME,
          "frame %lld was pushed after frame %lld: numbers must increase, unless order=any lets frames come later",
          number, static_cast<long long> (arrivals.next () - 1));
  if (bounds.scan > 0 && frames.number > bounds.scan - frames.count)
    fail (SINO_ERROR_FAILED, "frame %lld was pushed, but the scan has %lld frames, counted from 0: set 'frames'",
          number + frames.count - 1, static_cast<long long> (bounds.scan));
  if (ended)
    fail (SINO_ERROR_FAILED, "no frame can be pushed after the end of the stream: 'begin' starts a new scan");
}

// Whether these are frames that may come again, and do.
bool FrameQueue::came_again (const Chunk &frames, const Bounds &bounds) const
{
  return (bounds.window > 0 || bounds.repeats) && arrivals.kind (frames) == Arrivals::Kind::repeated;
}

bool FrameQueue::room (const Chunk &frames, const Bounds &bounds) const
{
  const auto kept = bytes + arrivals.early_bytes ();
  const auto buffers = std::ssize (waiting) + arrivals.early ();
  if (waiting.empty () && (buffers == 0 || frames.number == arrivals.next ()))
    return true;
  return (bounds.bytes == 0 || kept + static_cast<int64_t> (frames.bytes ()) <= bounds.bytes) &&
         (bounds.buffers == 0 || buffers < bounds.buffers);
}

// Calls the watcher without the lock, because the call may free the last reference to the program's object.
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

// Whether frames came before, or are lost already: they are counted and not taken.
bool FrameQueue::is_foreign (const Chunk &frames, const Bounds &bounds)
{
  const bool again = came_again (frames, bounds);
  const bool is_late = bounds.window > 0 && arrivals.kind (frames) == Arrivals::Kind::late;
  repeated += again ? frames.count : 0;
  late += is_late ? frames.count : 0;
  return again || is_late;
}

FrameQueue::Pushed FrameQueue::push (Chunk frames, const std::function<Bounds ()> &get_bounds, const Memory &memory)
{
  // Bounds are read again after this time, because no signal reports a change.
  constexpr auto look_again = std::chrono::milliseconds (50);
  const bool numbered = frames.number >= 0;
  std::deque<Chunk> gone; // dropped frames, freed after the lock
  std::unique_lock held (mutex);
  const int scan = scans;
  for (bool told = false;;) {
    const auto bounds = get_bounds ();
    if (scans != scan)
      fail (SINO_ERROR_FAILED, "no frame can be pushed: 'begin' has started a new scan");
    if (!numbered)
      frames.number = arrivals.newest ();
    check (frames, bounds);
    if (is_foreign (frames, bounds))
      return Pushed::dropped;
    const bool full = !room (frames, bounds);
    if (full && waiting.empty ()) { // early frames fill all room, so those that they wait for cannot come any more
      give_up (frames.number);
      continue;
    }
    if (full && !told) {
      told = true;
      tell (held, false);
      continue; // anything may have changed without the lock
    }
    if (full && bounds.leaky == Leaky::none) {
      if (!bounds.wait)
        return Pushed::full;
      changed.wait_for (held, look_again);
      continue;
    }
    const bool drops = full && bounds.leaky == Leaky::upstream;
    if (!drops && !frames.memory) {
      held.unlock (); // without the lock, because frames are copied
      frames.memory = memory ();
      held.lock ();
      continue;
    }
    shape = frames.shape;
    pushed += frames.count;
    if (drops) {
      dropped += frames.count;
      if (frames.number == arrivals.next () || bounds.window == 0)
        arrivals.lose (frames);
    } else
      take (std::move (frames), bounds, gone);
    ended = bounds.scan > 0 && arrivals.next () == bounds.scan;
    held.unlock ();
    changed.notify_all ();
    return full ? Pushed::dropped : Pushed::taken;
  }
}

// Takes frames, and drops the oldest ones for which there is no room.
void FrameQueue::take (Chunk frames, const Bounds &bounds, std::deque<Chunk> &gone)
{
  while (!waiting.empty () && !room (frames, bounds)) {
    gone.push_back (std::move (waiting.front ()));
    waiting.pop_front ();
    dropped += gone.back ().count;
    bytes -= static_cast<int64_t> (gone.back ().bytes ());
    arrivals.lose_again (gone.back ());
  }
  std::vector<Chunk> ready;
  arrivals.add (std::move (frames), bounds.window, ready);
  hand_on (ready);
}

void FrameQueue::hand_on (std::vector<Chunk> &ready)
{
  for (auto &frames : ready) {
    bytes += static_cast<int64_t> (frames.bytes ());
    waiting.push_back (std::move (frames));
  }
  changed.notify_all ();
}

void FrameQueue::give_up (int64_t end)
{
  std::vector<Chunk> ready;
  arrivals.give_up (end, ready);
  hand_on (ready);
}

void FrameQueue::lose_before (int64_t end)
{
  const std::lock_guard held (mutex);
  give_up (end);
}

void FrameQueue::end_of_stream (int64_t end)
{
  const std::lock_guard held (mutex);
  give_up (std::max (end, arrivals.newest ()));
  ended = true;
  changed.notify_all ();
}

void FrameQueue::begin ()
{
  std::deque<Chunk> gone;
  const std::lock_guard held (mutex);
  if (owner)
    fail (SINO_ERROR_FAILED, "a run is using the frames of a scan: a new scan can begin when the run has ended");
  gone.swap (waiting);
  bytes = pushed = dropped = repeated = late = 0;
  arrivals = {};
  ended = unlocked = false;
  closed.clear ();
  shape.reset ();
  scans++;
  changed.notify_all (); // wakes a push () for the old scan, which then throws
}

void FrameQueue::forsake (std::exception_ptr why)
{
  const std::lock_guard held (mutex);
  forsaken = std::move (why);
  changed.notify_all ();
}

FrameQueue::Level FrameQueue::level () const
{
  const std::lock_guard held (mutex);
  return {bytes, std::ssize (waiting), pushed, dropped, repeated, late};
}

int64_t FrameQueue::next_number () const
{
  const std::lock_guard held (mutex);
  return arrivals.next ();
}

std::vector<Interval> FrameQueue::lost () const
{
  const std::lock_guard held (mutex);
  return arrivals.lost ();
}

void FrameQueue::watch (Watch w)
{
  const std::lock_guard held (mutex);
  watcher = std::move (w);
}

// --- the run ---

void FrameQueue::attach (const void *user, const FrameShape &wanted)
{
  const std::lock_guard held (mutex);
  if (owner)
    fail (SINO_ERROR_FAILED, "another run is using its frames: use a separate object for each simultaneous run");
  if (!closed.empty ())
    fail (SINO_ERROR_FAILED, "there are no frames: %s", closed.c_str ());
  if (shape && !(*shape == wanted))
    fail (SINO_ERROR_BAD_FORMAT, "frames of %s were pushed, but the node takes %s: set rows, columns and element first",
          shape->describe ().c_str (), wanted.describe ().c_str ());
  shape = wanted;
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
    std::rethrow_exception (forsaken);
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
  const std::lock_guard held (mutex);
  unlocked = unlocked || owner == user;
  changed.notify_all ();
}

void FrameQueue::close (const void *user, const std::string &why)
{
  std::deque<Chunk> gone;
  const std::lock_guard held (mutex);
  if (owner && owner != user)
    return;
  if (closed.empty ())
    closed = why;
  gone.swap (waiting);
  bytes = 0;
  changed.notify_all ();
}

bool FrameQueue::leave (const void *user) noexcept
{
  {
    const std::lock_guard held (mutex);
    if (owner != user)
      return false;
  }
  close (user, "the run that used them has ended; 'begin' starts a new scan");
  const std::lock_guard held (mutex);
  owner = nullptr;
  return true;
}

} // namespace sino
