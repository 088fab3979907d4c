// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory of a stream: a fixed number of equal buffers that are used again and again. Their number limits how far a
// producer can run ahead: it waits here for its consumers.
#pragma once
#include "base/monitor.hpp"
#include "stream/filling.hpp"
#include <functional>
#include <optional>
#include <vector>

namespace sino {

class Pool : public std::enable_shared_from_this<Pool>
{
public:
  // `make` allocates a buffer; it is called at most `most` times.
  using Make = std::function<std::unique_ptr<Buffer> ()>;
  Pool (Monitor &monitor, int64_t most, Make make);

  // A buffer; waits until one is free. It returns to the pool when the last block that holds it is dropped.
  std::shared_ptr<Buffer> take ();
  // Like take (), without waiting: null if no buffer is free.
  std::shared_ptr<Buffer> take_if_free ();

  // Makes up to `count` buffers before they are needed, and returns the memory of those that it has made.
  std::vector<std::span<std::byte>> make_ahead (int64_t count);

  // Number of buffers in use, and the most that may be. Call with the lock held.
  int64_t under_way () const { return made - std::ssize (unused); }
  int64_t room () const { return most; }

private:
  bool free () const { return !unused.empty () || made < most; }
  std::shared_ptr<Buffer> take (Monitor::Lock held);
  std::unique_ptr<Buffer> make_one ();
  void make_another (); // allows a new buffer, because a task keeps one
  void give_back (std::unique_ptr<Buffer> buffer);

  Monitor &monitor;
  const int64_t most;
  const Make make;
  int64_t made = 0;
  Bell given_back;
  std::vector<std::unique_ptr<Buffer>> unused;
};

// A queue of blocks between two workers. It needs no limit, as the pool has one.
class Channel
{
public:
  // `level` counts the blocks in all queues of the worker.
  Channel (Monitor &m, std::atomic<int64_t> &l) : monitor (m), level (l) {}

  void push (Block block);
  Block pop (); // waits
  // Tells of blocks that will be pushed.
  void show (const Filling &filled);
  // Waits for more projections in them; none: a block can be popped.
  std::optional<Filling> filling (int64_t projections);
  // Number of blocks in the queue. Call with the lock held.
  int64_t queued () const { return std::ssize (waiting); }

private:
  Monitor &monitor;
  std::atomic<int64_t> &level;
  Bell arrived;
  Filling shown;
  std::vector<Block> waiting; // oldest first; short, as the pool is small
};

} // namespace sino
