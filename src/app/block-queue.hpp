// SPDX-License-Identifier: LGPL-3.0-or-later
// Blocks on their way from a run to a program, and the memory that the program holds of them.
#pragma once
#include "base/error.hpp"
#include "stream/block.hpp"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace sino::app {

class SINO_VISIBLE BlockQueue : public std::enable_shared_from_this<BlockQueue>
{
public:
  // What may be with the program, waiting or held; 0: any number.
  struct Bounds {
    int64_t bytes = 0, buffers = 0;
  };
  struct Level {
    int64_t bytes, buffers; // that wait
    int64_t held;           // bytes that the program holds
  };
  enum class State : uint8_t { block, late, end };
  struct Pulled {
    State state;
    Block block;
  };
  // How long a program may wait for a block while it holds all that it may hold: nobody else gives one back, as it
  // seems.
  static constexpr auto patience = std::chrono::seconds (10);

  // --- the program ---

  // The oldest block; `late` when none came in time, `end` after the last. A negative time: any. Throws once the run
  // has failed, and when nothing can come any more before the program drops a block.
  Pulled pull (std::chrono::microseconds time);
  bool at_end () const;
  Level level () const;
  // Nobody can pull any more: blocks are dropped from now on.
  void forsake ();
  void watch (std::function<void ()> watcher);

  // --- the run ---

  // A run will begin, unless one has the queue: what is left of a run before is dropped.
  void expect ();
  // Takes the queue for a run; throws where another one has it.
  void attach (const void *user);
  // Adds a block whose memory is the program's; waits while the program has as much as it may, which may change
  // meanwhile. Throws Cancelled.
  void push (Block block, const std::function<Bounds ()> &bounds);
  // All blocks have come.
  void finish (const void *user);
  void unlock (const void *user);
  // The run has ended badly: whoever pulls is told why.
  void close (const void *user, const std::string &why);
  void leave (const void *user) noexcept;

  // Memory for a block, used again when the program drops it. It holds `place` until it is pushed.
  std::shared_ptr<Buffer> lend (size_t bytes, std::shared_ptr<Buffer> place);
  // Whether that is where the block lies.
  static bool is_lent (const Block &block);

private:
  using Clock = std::chrono::steady_clock;
  struct Lent;

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Block> waiting;
  std::vector<std::unique_ptr<Buffer>> unused;
  std::function<void ()> watcher;
  int64_t bytes = 0, held = 0; // that wait, and that the program has besides
  const void *owner = nullptr;
  bool ended = false, unlocked = false, stopped = false; // stopped: push () waits
  Clock::time_point stopped_since;                       // or since the program dropped a block
  bool forsaken = false;
  std::string closed;

  void give_back (std::unique_ptr<Buffer> buffer, bool was_held) noexcept;
};

} // namespace sino::app
