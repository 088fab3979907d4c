// SPDX-License-Identifier: LGPL-3.0-or-later
// Queue of frames from a program, or from a thread that receives them, to a run. Uses only std primitives, so that the
// thread sanitizer can check it.
#pragma once
#include "base/error.hpp"
#include "glue/frames/arrivals.hpp"
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace sino {

enum class Leaky : uint8_t { none, upstream, downstream };

// Largest amount that may wait in the queue, and the number of frames in the scan.
struct Bounds {
  int64_t bytes = 0, buffers = 0; // 0: any number
  Leaky leaky = Leaky::none;      // which frames are dropped without room: upstream: new ones; downstream: the oldest
  bool wait = true;               // whether a push waits for room
  int64_t scan = 0;               // number of frames in the scan; 0: unknown
  int64_t window = 0;             // numbers that a frame may come late; 0: numbers must rise
  bool repeats = false;           // whether frames that come again are left out, also without a window
};

class SINO_VISIBLE FrameQueue
{
public:
  enum class Pushed : uint8_t { taken, full, dropped };
  struct Level {
    int64_t bytes, buffers;  // frames that wait for the run, without early ones, by size and number of buffers
    int64_t pushed, dropped; // frames of this scan
    int64_t repeated, late;  // frames that came again, or behind the window; they are not taken
  };
  using Memory = std::function<std::shared_ptr<const std::byte> ()>;
  // Function that is called when the run waits for frames (`needs` is true) and when there is no more room (false).
  using Watch = std::function<void (bool needs, int64_t bytes)>;

  // --- the program ---

  // Adds frames at the end. Waits for room; bounds may change during the wait. A buffer above the limit is taken when
  // the queue is empty. The scan ends with its last frame. Throws if the run has ended or failed, if frames have
  // another shape than those before, or if numbers do not rise or are too large. With a window, frames wait for those
  // before them. `memory` returns the frames; it is
  // called by this thread, without a lock, once there is room.
  Pushed push (Chunk frames, const std::function<Bounds ()> &bounds, const Memory &memory);
  // Frames before number `end` that have not come are lost: the run goes on without them.
  void lose_before (int64_t end);
  // Frames before those that have come, and before number `end`, are lost.
  void end_of_stream (int64_t end = 0);
  // Begins a new scan: removes all frames and sets the counters to 0.
  void begin ();
  // Called when no more frames can come: a run that waits for frames fails with this error.
  void forsake (std::exception_ptr why);
  Level level () const;
  // Number of the next frame in order; lost frames count.
  int64_t next_number () const;
  // Numbers of lost frames, rising.
  std::vector<Interval> lost () const;
  void watch (Watch watcher);

  // --- the run ---

  // Gives the queue to a run, whose task is `user` and whose frames have this shape. Throws if another run has the
  // queue, if the scan was taken before, or if frames of another shape were pushed.
  void attach (const void *user, const FrameShape &shape);
  // Waits for the oldest frames and returns them; none after the end of the stream. Throws Cancelled after unlock ().
  std::optional<Chunk> pop ();
  // Ends the waits of a run, if it has the queue.
  void unlock (const void *user);
  // Called when the run has ended or could not begin. push () then throws an error with the reason `why`. Does nothing
  // if another run has the queue.
  void close (const void *user, const std::string &why);
  // Called when the task is destroyed. Returns whether it had the queue.
  bool leave (const void *user) noexcept;

private:
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Chunk> waiting;
  Watch watcher;
  int64_t bytes = 0, pushed = 0, dropped = 0;
  int64_t repeated = 0, late = 0;
  Arrivals arrivals;
  int scans = 0;                   // number of scans that have begun
  std::optional<FrameShape> shape; // shape of the scan's frames
  const void *owner = nullptr;
  bool ended = false, unlocked = false;
  std::exception_ptr forsaken; // why no more frames can come
  std::string closed;          // reason why nothing can be pushed; "": frames can be pushed

  void check (const Chunk &frames, const Bounds &bounds) const;
  void tell (std::unique_lock<std::mutex> &held, bool needs);
  bool came_again (const Chunk &frames, const Bounds &bounds) const;
  void give_up (int64_t end);
  bool room (const Chunk &frames, const Bounds &bounds) const;
  bool is_foreign (const Chunk &frames, const Bounds &bounds);
  void take (Chunk frames, const Bounds &bounds, std::deque<Chunk> &gone);
  void hand_on (std::vector<Chunk> &ready);
};

} // namespace sino
