// SPDX-License-Identifier: LGPL-3.0-or-later
// Brings the pages of fresh memory, in parts that threads share. Where a row, ray or line touches every page, the first
// one would bring them all, in one thread and without a look at whether the run was cancelled.
#pragma once
#include "base/divide-up.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sino {

class FreshPages
{
public:
  explicit FreshPages (std::span<std::byte> m) : memory (m) {} // all zero

  int64_t parts () const { return static_cast<int64_t> (divide_up (memory.size (), part)); }
  void bring (int64_t begin, int64_t end) const
  {
    const auto last = std::min (static_cast<size_t> (end) * part, memory.size ());
    for (auto at = static_cast<size_t> (begin) * part; at < last; at += page)
      memory[at] = {};
  }

private:
  static constexpr size_t part = size_t{1} << 21, page = 4096; // large and small pages
  std::span<std::byte> memory;
};

} // namespace sino
