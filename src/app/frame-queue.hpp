// SPDX-License-Identifier: LGPL-3.0-or-later
// Frames on their way from a program into a run. Std primitives only, so that the thread sanitizer can judge it.
#pragma once
#include "base/error.hpp"
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sino::app {

// Frames that lie in memory one after the other.
struct Chunk {
  std::shared_ptr<const std::byte> memory; // given back with the last reference
  int64_t count = 0;
  size_t frame_bytes = 0;
  int64_t number = -1;        // of the first one, in the scan; -1: they follow those before
  std::vector<double> angles; // of each, in radians; none: as was said before

  size_t bytes () const { return static_cast<size_t> (count) * frame_bytes; }
  // The same without the first few.
  void drop_first (int64_t few);
};

enum class Leaky : uint8_t { none, upstream, downstream };

// What may wait.
struct Bounds {
  int64_t bytes = 0, buffers = 0; // 0: any number
  Leaky leaky = Leaky::none;      // which frames are dropped where there are more: new ones, or old ones
  int64_t scan = 0;               // frames of the scan; 0: not known
};

class SINO_VISIBLE FrameQueue
{
public:
  enum class Pushed : uint8_t { taken, full, dropped };
  struct Level {
    int64_t bytes, buffers, frames; // that wait
    int64_t pushed, dropped;        // frames of this scan
  };
  // Of the run: it waits for frames; of the program: there is no more room. It only
  // passes that on.
  using Watch = std::function<void (bool needs, int64_t bytes)>;

  // --- the program ---

  // Adds frames at the end; waits for room where `wait`. A buffer that is larger than all that may wait is taken when
  // none does. Throws once the run has ended or failed, and where numbers do not rise or are too many.
  Pushed push (Chunk frames, const Bounds &bounds, bool wait);
  void end_of_stream ();
  // A new scan: nothing waits, nothing was dropped.
  void begin ();
  // Nobody can push any more: a run that waits for frames fails.
  void forsake ();
  Level level () const;
  void watch (Watch watcher);

  // --- the run ---

  // Takes the queue for a run, whose task is `user`; throws where another one has it, or the scan was taken before.
  void attach (const void *user);
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
  int64_t next = 0; // number of the next frame
  const void *owner = nullptr;
  bool ended = false, unlocked = false, forsaken = false;
  std::string closed; // why nothing can be pushed; "": it can

  void check (Chunk &frames, const Bounds &bounds) const;
  void tell (std::unique_lock<std::mutex> &held, bool needs);
  bool room (const Chunk &frames, const Bounds &bounds) const;
};

} // namespace sino::app
