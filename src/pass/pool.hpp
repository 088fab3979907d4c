// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory of a stream: a fixed number of equal buffers that are used again and again. Its size is what bounds a
// stream: a producer waits here for its consumers.
#pragma once
#include "base/monitor.hpp"
#include "stream/block.hpp"
#include <functional>
#include <vector>

namespace sino {

class Pool : public std::enable_shared_from_this<Pool>
{
public:
  // `make` gives a new buffer; at most `most` are wanted.
  using Make = std::function<std::unique_ptr<Buffer> ()>;
  Pool (Monitor &monitor, int64_t most, Make make);

  // A buffer; waits until one is free. It comes back when the last block that holds it is gone.
  std::shared_ptr<Buffer> take ();
  // The same without waiting: null where none is free.
  std::shared_ptr<Buffer> take_if_free ();

  // Buffers that are under way, and that may be. With the lock held.
  int64_t under_way () const { return made - std::ssize (unused); }
  int64_t room () const { return most; }

private:
  bool free () const { return !unused.empty () || made < most; }
  std::shared_ptr<Buffer> take (Monitor::Lock held);
  void make_another (); // in place of one that is kept
  void give_back (std::unique_ptr<Buffer> buffer);

  Monitor &monitor;
  const int64_t most;
  const Make make;
  int64_t made = 0;
  Bell given_back;
  std::vector<std::unique_ptr<Buffer>> unused;
};

// A queue of blocks between two workers. It needs no bound of its own: the pool has one.
class Channel
{
public:
  // `level` counts the blocks that wait.
  Channel (Monitor &m, std::atomic<int64_t> &l) : monitor (m), level (l) {}

  void push (Block block);
  Block pop (); // waits
  // Blocks in it. With the lock held.
  int64_t queued () const { return std::ssize (waiting); }

private:
  Monitor &monitor;
  std::atomic<int64_t> &level;
  Bell arrived;
  std::vector<Block> waiting; // oldest first; short, as the pool is small
};

} // namespace sino
