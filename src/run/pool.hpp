// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory of a stream: a fixed number of equal buffers that are used again and again. Its size is what bounds a
// stream: a producer waits here for its consumers.
#pragma once
#include "base/monitor.hpp"
#include "stream/block.hpp"
#include <vector>

namespace sino {

class Pool : public std::enable_shared_from_this<Pool>
{
public:
  Pool (Monitor &monitor, size_t bytes, int64_t most);
  ~Pool ();
  Pool (const Pool &) = delete;
  Pool &operator= (const Pool &) = delete;

  // A buffer; waits until one is free. It comes back when the last block that holds it is gone.
  std::shared_ptr<Buffer> take ();

private:
  struct Slot;
  void give_back (std::byte *memory);

  Monitor &monitor;
  const size_t bytes;
  const int64_t most;
  int64_t made = 0;
  std::vector<std::byte *> unused;
};

// A queue of blocks between two workers. It needs no bound of its own: the pool has one.
class Channel
{
public:
  explicit Channel (Monitor &m) : monitor (m) {}

  void push (Block block);
  Block pop (); // waits

private:
  Monitor &monitor;
  std::vector<Block> waiting; // oldest first; short, as the pool is small
};

} // namespace sino
