// SPDX-License-Identifier: LGPL-3.0-or-later
// Frames on their way from a program into a run. Std primitives only, so that the thread sanitizer can judge it.
#pragma once
#include "base/error.hpp"
#include "stream/chunk.hpp"
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace sino::app {

enum class Leaky : uint8_t { none, upstream, downstream };

// What may wait.
struct Bounds {
  int64_t bytes = 0, buffers = 0; // 0: any number
  Leaky leaky = Leaky::none;      // which frames are dropped where there are more: new ones, or old ones
  bool wait = true;               // whether a push waits for room
  int64_t scan = 0;               // frames of the scan; 0: not known
};

class SINO_VISIBLE FrameQueue
{
public:
  enum class Pushed : uint8_t { taken, full, dropped };
  struct Level {
    int64_t bytes, buffers;  // that wait
    int64_t pushed, dropped; // frames of this scan
  };
  using Memory = std::function<std::shared_ptr<const std::byte> ()>;
  // Is told that the run waits for frames, or else that there is no more room.
  using Watch = std::function<void (bool needs, int64_t bytes)>;

  // --- the program ---

  // Adds frames at the end, and waits for room; bounds may change meanwhile. A buffer that is larger than all that may
  // wait is taken when none does. The scan ends with its last frame. Throws once the run has ended or failed, and where
  // frames are others than those before, numbers do not rise or are too many.
  // `memory` gives the frames once there is room for them, and is called by this thread without a lock.
  Pushed push (Chunk frames, const std::function<Bounds ()> &bounds, const Memory &memory);
  void end_of_stream ();
  // A new scan: nothing waits, nothing was dropped.
  void begin ();
  // Nobody can push any more: a run that waits for frames fails.
  void forsake ();
  Level level () const;
  // Number of the next frame, dropped ones counted.
  int64_t next_number () const;
  void watch (Watch watcher);

  // --- the run ---

  // Takes the queue for a run, whose task is `user`, and frames of this shape; throws where another one has it, the
  // scan was taken before, or other frames were pushed.
  void attach (const void *user, const FrameShape &shape);
  // The oldest frames; none after the end of the stream. Waits; throws Cancelled once unlocked.
  std::optional<Chunk> pop ();
  // Ends the wait of a run that has it.
  void unlock (const void *user);
  // The run has ended, or could not begin: whoever pushes is told why. Not where another one has the queue.
  void close (const void *user, const std::string &why);
  // The task is gone; whether it had the queue.
  bool leave (const void *user) noexcept;

private:
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Chunk> waiting;
  Watch watcher;
  int64_t bytes = 0, pushed = 0, dropped = 0;
  int64_t next = 0;                // number of the next frame
  int scans = 0;                   // that began
  std::optional<FrameShape> shape; // of the scan's frames
  const void *owner = nullptr;
  bool ended = false, unlocked = false, forsaken = false;
  std::string closed; // why nothing can be pushed; "": it can

  void check (const Chunk &frames, const Bounds &bounds) const;
  void tell (std::unique_lock<std::mutex> &held, bool needs);
  bool room (const Chunk &frames, const Bounds &bounds) const;
};

} // namespace sino::app
