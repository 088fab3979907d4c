// SPDX-License-Identifier: LGPL-3.0-or-later
// Index intervals, for example the rows of work items and demands.
#pragma once
#include "base/divide-up.hpp"
#include <algorithm>
#include <cstdint>

namespace sino {

// [begin, end)
struct Interval {
  int64_t begin = 0, end = 0;

  constexpr int64_t size () const { return end - begin; }
  constexpr bool empty () const { return end <= begin; }
  constexpr bool contains (Interval o) const { return o.empty () || (begin <= o.begin && o.end <= end); }
  constexpr Interval meet (Interval o) const
  {
    const Interval m{std::max (begin, o.begin), std::min (end, o.end)};
    return m.empty () ? Interval{} : m;
  }
  // The smallest interval that contains both.
  constexpr Interval cover (Interval o) const
  {
    return empty () ? o : o.empty () ? *this : Interval{std::min (begin, o.begin), std::max (end, o.end)};
  }

  // The index at place i; the place of an index, or -1 if it is outside the interval.
  constexpr int64_t at (int64_t i) const { return begin + i; }
  constexpr int64_t place (int64_t index) const { return index >= begin && index < end ? index - begin : -1; }

  friend constexpr bool operator== (Interval, Interval) = default;
};

using Rows = Interval;

} // namespace sino
