// SPDX-License-Identifier: LGPL-3.0-or-later
// Neighbouring pixels of a line are at most a column apart, so those of a vector lie within one value more than a
// vector has. Two vectors are loaded, and each pixel picks its two values from them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/live/add.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/live/add.hpp"
#include "kernels/live/pick-inl.hpp"
#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE ();
namespace sino::live::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A row of a projection, or the blend of two.
template <class T> struct Row {
  const T *above;
  const T *below; // null: `above` alone
  float share;    // of the row below

  HWY_INLINE Vector at (int64_t column) const
  {
    const auto values = load (above + column);
    if (!below)
      return values;
    return hn::MulAdd (hn::Set (Floats (), share), hn::Sub (load (below + column), values), values);
  }
};

// Where the pixels of a vector lie.
struct Spots {
  int64_t column; // of the first value to load
  Places left;    // place of the value at the left of each pixel
  Vector share;   // of the value at the right

  HWY_INLINE Vector of (Vector lower, Vector upper) const
  {
    const auto one = pick (lower, upper, left);
    const auto other = pick (lower, upper, hn::Add (left, hn::Set (Integers (), 1)));
    return hn::MulAdd (share, hn::Sub (other, one), one);
  }
};

// The pixels of a line: pixel i is seen at u + i step. Those from `begin` to `end` are in vectors that see the
// detector. Positions count 2^-32 of a column, which is exact to 1e-6 of a column in pictures of thousands of pixels.
class Pixels
{
public:
  Pixels (double u, double step, int64_t columns, int64_t width)
  {
    const Floats d;
    const auto lanes = static_cast<int64_t> (hn::Lanes (d));
    const double lowest = std::min (static_cast<double> (lanes - 1) * step, 0.0); // of a vector, from its first pixel
    steps = hn::Sub (hn::Mul (hn::Iota (d, 0), hn::Set (d, static_cast<float> (step))),
                     hn::Set (d, static_cast<float> (lowest)));
    first = static_cast<int64_t> ((u + lowest) * unit);
    by = static_cast<int64_t> (step * unit);
    const auto end_column = static_cast<double> (columns);
    if (std::abs (step) < 1e-9) {
      end = u > -1 && u < end_column ? width : 0;
      return;
    }
    double from = (-1 - u) / step, to = (end_column - u) / step;
    if (from > to)
      std::swap (from, to);
    const auto whole = static_cast<double> (width);
    if (to <= 0 || from >= whole)
      return;
    begin = static_cast<int64_t> (std::clamp (from, 0.0, whole)) / lanes * lanes;
    end = static_cast<int64_t> (std::ceil (std::clamp (to, 0.0, whole)));
  }

  int64_t begin = 0, end = 0;

  HWY_INLINE Spots at (int64_t pixel) const
  {
    const auto least = first + pixel * by;
    const Floats d;
    const Integers di;
    const auto fraction = hn::Set (di, static_cast<int32_t> (static_cast<uint32_t> (least) >> 1));
    const auto place = hn::MulAdd (hn::ConvertTo (d, fraction), hn::Set (d, 0x1p-31f), steps);
    auto left = hn::ConvertTo (di, place);
    if (hn::MaxLanes (d) == 1)
      left = hn::Zero (di);
    return {least >> 32, left, hn::Sub (place, hn::ConvertTo (d, left))};
  }

private:
  static constexpr double unit = 0x1p32;
  int64_t first, by;
  Vector steps;
};

// What is brought near for later, a little with each vector: all at once would keep the processor waiting.
struct Soon {
  const std::byte *next, *last;

  template <class T>
  Soon (const T *first, int64_t columns)
      : next (reinterpret_cast<const std::byte *> (first)),
        last (reinterpret_cast<const std::byte *> (first + columns - 1))
  {
  }

  HWY_INLINE void fetch ()
  {
    __builtin_prefetch (next);
    next = std::min (next + 64, last);
  }
};

template <class T>
HWY_INLINE void add_line (const Pixels &pixels, const Row<T> &row, float factor, Soon soon, float *line)
{
  const Floats d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const auto by = hn::Set (d, factor);
  for (auto i = pixels.begin; i < pixels.end; i += lanes) {
    soon.fetch ();
    const auto spots = pixels.at (i);
    const auto value = spots.of (row.at (spots.column), row.at (spots.column + lanes));
    hn::StoreU (hn::MulAdd (by, value, hn::LoadU (d, line + i)), d, line + i);
  }
}

template <class T> class Adding
{
public:
  Adding (const Projections &p, const Plane &pl, const T *v) : projections (p), plane (pl), values (v)
  {
    first_row = plane.row_of (0);
  }

  void add (const Sight &sight, const Sight *next, int64_t begin, int64_t end, float *flat, float *picture) const
  {
    const double right = sight.right (plane), down = sight.down (plane), first = sight.first (plane);
    const auto pixels = [&] (int64_t line) HWY_ATTR {
      return Pixels (first + static_cast<double> (line) * down, right, projections.columns, plane.width);
    };
    const auto stride = plane.stride ();
    if (plane.down[2] == 0) {
      const auto row = projections.position (first_row);
      if (!projections.seen (row))
        return;
      blend (row_at (sight.place, row), flat);
      for (auto j = begin; j < end; j++)
        add_line (pixels (j), Row<float>{flat + Projections::border, nullptr, 0}, sight.factor, {flat, 1},
                  picture + j * stride);
    } else
      for (auto j = begin; j < end; j++)
        if (const auto row = projections.position (first_row + static_cast<double> (j) * plane.down[2]);
            projections.seen (row)) {
          // Each projection is in another place, which the processor cannot guess.
          const auto there = row_at (next ? next->place : sight.place, row);
          add_line (pixels (j), row_at (sight.place, row), sight.factor, {there.above, projections.columns},
                    picture + j * stride);
        }
  }

private:
  const Projections &projections;
  const Plane &plane;
  const T *values;
  double first_row;

  Row<T> row_at (int64_t place, double row) const
  {
    constexpr double no_share = Projections::no_share;
    const double above = std::floor (row + no_share), share = row - above;
    const auto *from = values + projections.offset (place, static_cast<int64_t> (above));
    return {from, share > no_share ? from + projections.stride () : nullptr, static_cast<float> (share)};
  }

  void blend (const Row<T> &row, float *flat) const
  {
    const Floats d;
    const auto lanes = static_cast<int64_t> (hn::Lanes (d)), stride = projections.stride ();
    for (int64_t i = 0; i < stride; i += lanes)
      hn::StoreU (row.at (i - Projections::border), d, flat + i);
  }
};

void add_lines (const Projections &projections, std::span<const Sight> sights, const Plane &plane, int64_t begin,
                int64_t end, float *row, float *picture)
{
  const auto go = [&] (const auto *values) HWY_ATTR {
    const Adding adding (projections, plane, values);
    for (size_t k = 0; k < sights.size (); k++)
      adding.add (sights[k], k + 1 < sights.size () ? &sights[k + 1] : nullptr, begin, end, row, picture);
  };
  if (projections.half)
    go (reinterpret_cast<const hwy::float16_t *> (projections.values));
  else
    go (reinterpret_cast<const float *> (projections.values));
}

} // namespace sino::live::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::live {

HWY_EXPORT (add_lines);

void add (const Projections &projections, std::span<const Sight> sights, const Plane &plane, int64_t begin, int64_t end,
          float *row, float *picture)
{
  HWY_DYNAMIC_DISPATCH (add_lines) (projections, sights, plane, begin, end, row, picture);
}

} // namespace sino::live
#endif
