// SPDX-License-Identifier: LGPL-3.0-or-later
// The newest slice that a sink took, for a program that shows the run. A slice is copied only if somebody wishes it.
#pragma once
#include "stream/block.hpp"
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace sino {

struct NewSlice {
  Element element = Element::f32;
  int64_t number = 0; // in the scan
  int64_t height = 0, width = 0;
  int step = 1; // every step-th pixel along both sides was kept
  std::vector<std::byte> values;
};

class SINO_VISIBLE Newest
{
public:
  static constexpr int64_t most_pixels = int64_t{1} << 20;

  // Asks for the next slice. Any thread.
  void wish () { wished.store (true, std::memory_order_relaxed); }
  // The slice that came last; null: none was wished, or none has come.
  std::shared_ptr<const NewSlice> get () const
  {
    const std::lock_guard guard (mutex);
    return slice;
  }

  // By the sink: a block of slices.
  void take (const Block &block)
  {
    if (wished.load (std::memory_order_relaxed) && wished.exchange (false))
      keep (block);
  }

private:
  std::atomic<bool> wished{false};
  mutable std::mutex mutex;
  std::shared_ptr<const NewSlice> slice;

  void keep (const Block &block);
};

} // namespace sino
