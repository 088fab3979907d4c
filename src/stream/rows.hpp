// SPDX-License-Identifier: LGPL-3.0-or-later
// Index intervals, and the sets of rows that work items and demands are made of.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
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
  friend constexpr bool operator== (Interval, Interval) = default;
};

// One interval of rows or two disjoint ones in rising order (two mirrored slabs share their work in cone geometry).
// Rows of a block are stored one after the other, without the gap.
class Rows
{
public:
  constexpr Rows () = default;
  constexpr Rows (Interval only) : parts{only, {}} {}
  constexpr Rows (int64_t begin, int64_t end) : Rows (Interval{begin, end}) {}
  constexpr Rows (Interval low, Interval high) : parts{low, high}
  {
    if (low.empty () || (!high.empty () && high.begin < low.begin))
      std::swap (parts[0], parts[1]);
    if (!parts[1].empty () && parts[1].begin <= parts[0].end)
      parts = {Interval{parts[0].begin, std::max (parts[0].end, parts[1].end)}, Interval{}};
  }

  constexpr int64_t size () const { return low ().size () + high ().size (); }
  constexpr bool empty () const { return size () == 0; }
  constexpr Interval low () const { return parts[0]; }
  constexpr Interval high () const { return parts[1]; }
  constexpr Interval hull () const { return high ().empty () ? low () : Interval{low ().begin, high ().end}; }

  // The row at place i of the block, and the place of a row (-1 when it is not in the set).
  constexpr int64_t at (int64_t i) const
  {
    return i < low ().size () ? low ().begin + i : high ().begin + (i - low ().size ());
  }
  constexpr int64_t place (int64_t row) const
  {
    if (row >= low ().begin && row < low ().end)
      return row - low ().begin;
    if (row >= high ().begin && row < high ().end)
      return low ().size () + row - high ().begin;
    return -1;
  }
  constexpr bool contains (const Rows &o) const
  {
    const auto inside = [this] (Interval i) { return low ().contains (i) || high ().contains (i); };
    return inside (o.low ()) && inside (o.high ());
  }

  // Smallest set of this kind that covers both (two far parts stay two, three become their hull).
  constexpr Rows cover (const Rows &o) const
  {
    if (empty () || o.contains (*this))
      return o;
    if (o.empty () || contains (o))
      return *this;
    if (high ().empty () && o.high ().empty ())
      return Rows (low (), o.low ());
    const Interval a = hull (), b = o.hull ();
    return Interval{std::min (a.begin, b.begin), std::max (a.end, b.end)};
  }

  friend constexpr bool operator== (const Rows &, const Rows &) = default;

private:
  std::array<Interval, 2> parts{};
};

} // namespace sino
