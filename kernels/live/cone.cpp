// SPDX-License-Identifier: LGPL-3.0-or-later
// Along a line of a picture, column times depth, row times depth, and depth itself are linear. A vector counts its
// places from those of one of its pixels, so that floats are exact enough: the pixel k steps on is seen at
//
//   u(k) = u(0) + k (du - u(0) dw) / (w(0) + k dw)
//
// Most vectors see two or three rows, and columns that two vectors hold: each pixel picks its values from these. Others
// gather them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/live/cone.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/live/cone.hpp"
#include "kernels/live/pick-inl.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

HWY_BEFORE_NAMESPACE ();
namespace sino::live::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Names of their own, because another file of the folder has alike ones.
namespace cone {

struct Pair {
  Vector left, right;
};

// Values at places, and at those one further.
HWY_INLINE Pair pair_at (const float *from, Places places)
{
  const Floats d;
  return {hn::GatherIndex (d, from, places), hn::GatherIndex (d, from + 1, places)};
}

HWY_INLINE Pair pair_at (const hwy::float16_t *from, Places places)
{
  const Floats d;
  const Integers di;
  const hn::RebindToUnsigned<Floats> du;
  const hn::Rebind<uint16_t, Floats> du16;
  const hn::Rebind<hwy::float16_t, Floats> dh;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  // Both halves lie in 32 bits, which may begin anywhere.
  const auto both =
      hn::BitCast (du, hn::GatherOffset (di, reinterpret_cast<const int32_t *> (from), hn::ShiftLeft<1> (places)));
#else
  HWY_ALIGN int32_t place[hn::MaxLanes (d)];
  HWY_ALIGN uint32_t halves[hn::MaxLanes (d)];
  hn::Store (places, di, place);
  for (size_t i = 0; i < hn::Lanes (d); i++)
    std::memcpy (&halves[i], from + place[i], sizeof halves[i]);
  const auto both = hn::Load (du, halves);
#endif
  const auto low = hn::BitCast (dh, hn::TruncateTo (du16, both));
  const auto high = hn::BitCast (dh, hn::TruncateTo (du16, hn::ShiftRight<16> (both)));
  return {hn::PromoteTo (d, low), hn::PromoteTo (d, high)};
}

HWY_INLINE Vector between (Pair pair, Vector share)
{
  return hn::MulAdd (share, hn::Sub (pair.right, pair.left), pair.left);
}

// A linear function of the pixel of a line.
struct Ramp {
  double first, step;

  double at (double pixel) const { return first + pixel * step; }
};

constexpr double least_depth = 1e-6;

// The pixels of a line that see the detector, and a little more.
class Line
{
public:
  Line (const Ramp &u, const Ramp &v, const Ramp &w, const Projections &p, int64_t width)
      : column (u), row (v), depth (w), end (static_cast<double> (width))
  {
    const auto columns = static_cast<double> (p.columns), rows = static_cast<double> (p.rows);
    above (depth, {least_depth, 0});
    above (column, times (-1));
    above (times (columns), column);
    above (row, times (-1));
    above (times (rows), row);
  }

  const Ramp column, row, depth;
  bool seen () const { return begin < end; }
  int64_t first () const { return static_cast<int64_t> (std::ceil (begin)); }
  int64_t last () const { return static_cast<int64_t> (std::ceil (end)) - 1; }

private:
  double begin = 0, end;

  Ramp times (double factor) const { return {factor * depth.first, factor * depth.step}; }
  // Keeps pixels where one function is above another.
  void above (const Ramp &more, const Ramp &less)
  {
    const double over = more.first - less.first, by = more.step - less.step, zero = -over / by;
    if (by > 0)
      begin = std::max (begin, zero);
    else if (by < 0)
      end = std::min (end, zero);
    else if (!(over > 0))
      end = 0;
  }
};

template <class T> class Adding
{
public:
  Adding (const Projections &p, const Plane &pl) : projections (p), plane (pl)
  {
    values = reinterpret_cast<const T *> (p.values);
    ends = static_cast<double> (p.rows - 1);
    if (p.beyond >= 0 && p.last >= 0)
      stretch = 1 / (p.last - ends + 1);
  }

  // `next`: the projection that follows; null: none.
  void add (const ConeSight &sight, const ConeSight *next, int64_t j, float *picture) const
  {
    const auto line = line_of (sight, j);
    if (line.seen () && line.first () <= line.last ())
      add (sight, line, ahead (next ? *next : sight, j, line), picture + j * plane.stride ());
  }

private:
  const Projections &projections;
  const Plane &plane;
  const T *values;
  double ends;        // the last row
  double stretch = 1; // of places between the last two rows

  Line line_of (const ConeSight &sight, int64_t j) const
  {
    const double left = -0.5 * static_cast<double> (plane.width - 1),
                 down = static_cast<double> (j) - 0.5 * static_cast<double> (plane.height - 1);
    const double x = plane.x + left * plane.right[0] + down * plane.down[0],
                 y = plane.y + left * plane.right[1] + down * plane.down[1], z = plane.row + down * plane.down[2];
    const auto ramp = [&] (size_t k) {
      const auto &m = sight.matrix[k];
      return Ramp{m[0] * x + m[1] * y + m[2] * z + m[3], m[0] * plane.right[0] + m[1] * plane.right[1]};
    };
    const auto w = ramp (2);
    // Places count from the middles of the first column and row.
    const auto middles = [&] (const Ramp &edges, double bin) {
      return Ramp{edges.first / bin - 0.5 * w.first, edges.step / bin - 0.5 * w.step};
    };
    return {middles (ramp (0), 1), middles (ramp (1), projections.bin), w, projections, plane.width};
  }

  // Values that are needed soon, about where the line sees them: each projection is in another place, which the
  // processor cannot guess.
  struct Ahead {
    const T *values;
    double column, row, right, down; // place, and steps to the next vector

    HWY_INLINE void fetch (int64_t stride)
    {
      const auto *place = values + static_cast<int64_t> (row) * stride + static_cast<int64_t> (column);
      __builtin_prefetch (place);
      __builtin_prefetch (place + stride);
      column += right;
      row += down;
    }
  };
  Ahead ahead (const ConeSight &sight, int64_t j, const Line &like) const
  {
    const auto line = line_of (sight, j);
    const auto begin = static_cast<double> (like.first ()), end = static_cast<double> (like.last ());
    const auto place = [&] (const Ramp &ramp, double pixel, double most) {
      return std::clamp (ramp.at (pixel) / std::max (line.depth.at (pixel), least_depth), 0.0, most);
    };
    const double columns = static_cast<double> (projections.columns - 1), column = place (line.column, begin, columns),
                 row = place (line.row, begin, ends);
    const double vectors = (end - begin) / static_cast<double> (hn::Lanes (Floats ())) + 1;
    return {.values = values + projections.offset (sight.place, 0),
            .column = column,
            .row = row,
            .right = (place (line.column, end, columns) - column) / vectors,
            .down = (place (line.row, end, ends) - row) / vectors};
  }

  HWY_INLINE void add (const ConeSight &sight, const Line &line, Ahead soon, float *to) const
  {
    const Floats d;
    const auto lanes = static_cast<int64_t> (hn::Lanes (d)), first = line.first (), last = line.last ();
    const auto set = [&] (double x) HWY_ATTR { return hn::Set (d, static_cast<float> (x)); };
    const auto factor = hn::Set (d, sight.factor), step = set (line.depth.step), least = set (least_depth);
    for (auto i = first / lanes * lanes; i <= last; i += lanes) {
      soon.fetch (projections.stride ());
      const auto base = std::clamp (i, first, last); // a pixel that sees the detector
      const auto at = static_cast<double> (base);
      const double w = line.depth.at (at), nearness = 1 / w, u = line.column.at (at) * nearness,
                   v = line.row.at (at) * nearness, column = std::floor (u), row = std::floor (v);
      const auto k = hn::Iota (d, static_cast<float> (i - base));
      const auto depth = hn::MulAdd (k, step, set (w));
      const auto near = hn::Div (set (1), hn::Max (depth, least));
      const auto by = hn::Mul (k, near);
      const double right = line.column.step - u * line.depth.step, down = line.row.step - v * line.depth.step;
      const auto columns = hn::MulAdd (by, set (right), set (u - column));
      const auto rows = hn::MulAdd (by, set (down), set (v - row));
      const auto *from =
          values + projections.offset (sight.place, static_cast<int64_t> (row)) + static_cast<int64_t> (column);
      const auto value = sample (from, columns, rows, column, row, {right < 0, down < 0});
      const auto seen = hn::IfThenElseZero (hn::Gt (depth, least), hn::Mul (value, hn::Mul (near, near)));
      hn::StoreU (hn::MulAdd (factor, seen, hn::LoadU (d, to + i)), d, to + i);
    }
  }

  // Whether columns and rows fall along a line.
  struct Ways {
    bool left, up;
  };

  // Values at places that count from (column, row), where `from` points to.
  HWY_INLINE Vector sample (const T *from, Vector columns, Vector rows, double column, double row, Ways ways) const
  {
    const Floats d;
    const Integers di;
    const auto set = [&] (double x) HWY_ATTR { return hn::Set (d, static_cast<float> (x)); };
    const auto end = static_cast<double> (projections.columns);
    const auto u = hn::Min (hn::Max (columns, set (-1 - column)), set (end - column));
    auto v = rows;
    if (projections.beyond >= 0)
      v = in_averages (rows, row);
    v = hn::Min (hn::Max (v, set (-1 - row)), set (ends + 1 - row));
    const auto left = hn::Floor (u), above = hn::Min (hn::Floor (v), set (ends - row));
    return around (from, {.column = hn::ConvertTo (di, left), .row = hn::ConvertTo (di, above)}, hn::Sub (u, left),
                   hn::Sub (v, above), static_cast<int64_t> (row), ways);
  }

  struct Spots {
    Places column, row;
  };

  // The values around spots, blended. Their columns and rows rise from 0 along the vector, or fall to 0.
  HWY_INLINE Vector around (const T *from, Spots spots, Vector right, Vector below, int64_t row, Ways ways) const
  {
    const Floats d;
    const Integers di;
    const auto lanes = static_cast<int32_t> (hn::Lanes (d));
    const auto stride = projections.stride ();
    const auto least_column = ways.left ? 2 - 2 * lanes : 0, least_row = ways.up ? -1 : 0;
    const auto place = hn::Sub (spots.column, hn::Set (di, least_column));
    const auto in_two = up_to (place, 2 * lanes - 2);
    const auto *first = from + least_column;
    if (hn::AllTrue (di, hn::And (in_two, hn::Eq (spots.row, hn::Zero (di)))))
      return down (picked (first, place, right), picked (first + stride, place, right), below);
    const auto second = hn::Sub (spots.row, hn::Set (di, least_row));
    const bool inside = row + least_row >= -1 && row + least_row + 2 <= projections.rows;
    if (inside && hn::AllTrue (di, hn::And (in_two, up_to (second, 1)))) {
      first += least_row * stride;
      const auto a = picked (first, place, right), b = picked (first + stride, place, right),
                 c = picked (first + 2 * stride, place, right);
      const auto lower = hn::RebindMask (d, hn::Gt (second, hn::Zero (di)));
      return down (hn::IfThenElse (lower, b, a), hn::IfThenElse (lower, c, b), below);
    }
    const auto places = hn::Add (hn::Mul (spots.row, hn::Set (di, static_cast<int32_t> (stride))), spots.column);
    return down (between (pair_at (from, places), right), between (pair_at (from + stride, places), right), below);
  }

  // Which numbers are 0 to `most`.
  HWY_INLINE static auto up_to (Places numbers, int32_t most)
  {
    const Integers di;
    return hn::Eq (numbers, hn::Max (hn::Min (numbers, hn::Set (di, most)), hn::Zero (di)));
  }

  HWY_INLINE static Vector down (Vector upper, Vector lower, Vector below)
  {
    return hn::MulAdd (below, hn::Sub (lower, upper), upper);
  }

  HWY_INLINE static Vector picked (const T *from, Places place, Vector right)
  {
    const auto lower = load (from), upper = load (from + static_cast<int64_t> (hn::Lanes (Floats ())));
    const auto next = hn::Add (place, hn::Set (Integers (), 1));
    return between ({pick (lower, upper, place), pick (lower, upper, next)}, right);
  }

  // Rows that are averages of several reach beyond their middles, and the last one may have fewer rows. Beyond the
  // detector's last row, values fall to 0 within one of its rows.
  HWY_INLINE Vector in_averages (Vector rows, double row) const
  {
    const Floats d;
    const auto set = [&] (double x) HWY_ATTR { return hn::Set (d, static_cast<float> (x)); };
    const auto before = set (ends - 1 - row), bin = set (projections.bin);
    auto inner = hn::Max (rows, set (-row));
    if (projections.rows > 1)
      inner = hn::Max (inner, hn::MulAdd (hn::Sub (rows, before), set (stretch), before));
    inner = hn::Min (inner, set (ends - row));
    const double top = -projections.beyond, bottom = 2 * projections.last - ends + projections.beyond;
    const auto above = hn::Min (hn::Mul (hn::Sub (rows, set (top - row)), bin), set (0)),
               below = hn::Max (hn::Mul (hn::Sub (rows, set (bottom - row)), bin), set (0));
    return hn::Add (inner, hn::Add (above, below));
  }
};

} // namespace cone

void add_cone_lines (const Projections &projections, std::span<const ConeSight> sights, const Plane &plane,
                     std::span<const Interval> turns, int64_t begin, int64_t end, float *picture)
{
  const auto go = [&] (const auto &adding) HWY_ATTR {
    for (size_t k = 0; k < sights.size (); k++)
      for (auto j = begin; j < end; j++)
        if (turns.empty () || turns[static_cast<size_t> (j)].place (sights[k].number) >= 0)
          adding.add (sights[k], k + 1 < sights.size () ? &sights[k + 1] : nullptr, j, picture);
  };
  if (projections.half)
    go (cone::Adding<hwy::float16_t> (projections, plane));
  else
    go (cone::Adding<float> (projections, plane));
}

} // namespace sino::live::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::live {

HWY_EXPORT (add_cone_lines);

void add_cone (const Projections &projections, std::span<const ConeSight> sights, const Plane &plane,
               std::span<const Interval> turns, int64_t begin, int64_t end, float *picture)
{
  HWY_DYNAMIC_DISPATCH (add_cone_lines) (projections, sights, plane, turns, begin, end, picture);
}

} // namespace sino::live
#endif
