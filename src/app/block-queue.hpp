// SPDX-License-Identifier: LGPL-3.0-or-later
// Queue of blocks from a run to the program, and the memory of blocks that the program has.
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
  // Largest amount that may wait for the program or be held by it; 0: no limit.
  struct Bounds {
    int64_t bytes = 0, buffers = 0;
  };
  struct Level {
    int64_t bytes, buffers; // blocks that wait
    int64_t held;           // bytes that the program holds
  };
  enum class State : uint8_t { block, late, end };
  struct Pulled {
    State state;
    Block block;
  };
  // Longest time that pull () waits while the program holds as much as it may. After that, no other thread is expected
  // to drop a block.
  static constexpr auto patience = std::chrono::seconds (10);

  // --- the program ---

  // Returns the oldest block; `late` if none comes in this time, `end` after the last one. A negative time has no
  // limit. Throws if the run has failed, or if no block can come before the program drops one.
  Pulled pull (std::chrono::microseconds time);
  bool at_end () const;
  // Whether the run waits until the program pulls or drops a block.
  bool full () const;
  Level level () const;
  // Called when the program can pull no more blocks: blocks are dropped from now on.
  void forsake ();
  void watch (std::function<void ()> watcher);

  // --- the run ---

  // Called before a run begins. Drops what an earlier run has left, unless a run has the queue.
  void expect ();
  // Gives the queue to a run; throws if another run has it.
  void attach (const void *user);
  // Adds a block in memory from lend (). Waits while the program has as much as `bounds` allows; the bounds may change
  // during the wait. Throws Cancelled.
  void push (Block block, const std::function<Bounds ()> &bounds);
  // Called after the last block.
  void finish (const void *user);
  void unlock (const void *user);
  // Called when the run has failed. pull () then throws an error with the reason `why`.
  void close (const void *user, const std::string &why);
  void leave (const void *user) noexcept;

  // Memory for a block; it is used again after the program has dropped the block. It holds `place` until push ().
  std::shared_ptr<Buffer> lend (size_t bytes, std::shared_ptr<Buffer> place);
  // Whether the block lies in memory from lend ().
  static bool is_lent (const Block &block);

private:
  using Clock = std::chrono::steady_clock;
  struct Lent;

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Block> waiting;
  std::vector<std::unique_ptr<Buffer>> unused;
  std::function<void ()> watcher;
  int64_t bytes = 0, held = 0; // bytes of blocks that wait, and of blocks that the program has pulled
  const void *owner = nullptr;
  bool ended = false, unlocked = false, stopped = false; // stopped: push () waits for room
  // Time when push () began to wait, or when the program last dropped a block.
  Clock::time_point stopped_since;
  bool forsaken = false;
  std::string closed;

  void give_back (std::unique_ptr<Buffer> buffer, bool was_held) noexcept;
};

} // namespace sino::app
