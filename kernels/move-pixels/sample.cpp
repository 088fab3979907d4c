// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move-pixels/sample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/move-pixels/sample.hpp"
#include "kernels/vectors-inl.hpp"
#include <algorithm>

HWY_BEFORE_NAMESPACE ();
namespace sino::move_pixels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

Interval split (const double *places, int64_t count, int64_t extent, int64_t border, Places to)
{
  const auto first = -static_cast<double> (border), last = static_cast<double> (extent - 1 + border);
  auto least = last, most = first;
  kernels::HWY_NAMESPACE::over<double> (count, [&] (auto d, int64_t i) HWY_ATTR {
    const hn::Rebind<float, decltype (d)> df;
    const hn::Rebind<int32_t, decltype (d)> di;
    const auto zero = hn::Zero (d), one = hn::Set (d, 1.0), begin = hn::Set (d, first);
    const auto place = hn::LoadU (d, places + i);
    const auto whole = hn::Floor (hn::IfThenElse (hn::Gt (place, begin), hn::Min (place, hn::Set (d, last)), begin));
    const auto behind = hn::Sub (place, whole);
    const auto bounded =
        hn::IfThenElse (hn::Lt (behind, zero), zero, hn::IfThenElse (hn::Gt (behind, one), one, behind));
    hn::StoreU (hn::DemoteTo (di, whole), di, to.whole + i);
    hn::StoreU (hn::DemoteTo (df, bounded), df, to.behind + i);
    least = std::min (least, hn::GetLane (hn::MinOfLanes (d, whole)));
    most = std::max (most, hn::GetLane (hn::MaxOfLanes (d, whole)));
  });
  return {static_cast<int64_t> (least), static_cast<int64_t> (most) + 1};
}

// Loads pixels of the plane at indices, which are mostly consecutive.
template <class D> class Taps
{
public:
  HWY_INLINE Taps (D, const float *p, hn::Vec<hn::RebindToSigned<D>> i) : plane (p), indices (i)
  {
    const hn::RebindToSigned<D> di;
    first = hn::GetLane (i);
    in_order = hn::AllTrue (di, hn::Eq (i, hn::Iota (di, first)));
  }
  HWY_INLINE hn::Vec<D> at (int64_t offset) const
  {
    const D d;
    return in_order ? hn::LoadU (d, plane + first + offset) : hn::GatherIndex (d, plane + offset, indices);
  }

private:
  const float *plane;
  const hn::Vec<hn::RebindToSigned<D>> indices;
  int32_t first;
  bool in_order;
};

// The taps of positions, from their whole pixels in the plane.
template <class D>
HWY_INLINE Taps<D> taps_of (D d, const Plane &plane, const Places *rows, int64_t row, const Places &columns, int64_t i)
{
  const hn::RebindToSigned<D> di;
  const auto width = static_cast<int32_t> (plane.columns.size ());
  auto index = hn::Sub (hn::LoadU (di, columns.whole + i), hn::Set (di, static_cast<int32_t> (plane.columns.begin)));
  if (rows) {
    const auto down = hn::Sub (hn::LoadU (di, rows->whole + i), hn::Set (di, static_cast<int32_t> (plane.rows.begin)));
    index = hn::Add (index, hn::Mul (down, hn::Set (di, width)));
  } else
    index = hn::Add (index, hn::Set (di, static_cast<int32_t> (row - plane.rows.begin) * width));
  return {d, plane.values, index};
}

// Interpolates between a and b; b is ignored if its weight is 0, even if it is NaN.
template <class D> HWY_INLINE hn::Vec<D> between (D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> behind)
{
  return hn::IfThenElse (hn::Gt (behind, hn::Zero (d)), hn::Add (a, hn::Mul (behind, hn::Sub (b, a))), a);
}

void linear (const Plane &plane, const Places *rows, int64_t row, const Places &columns, int64_t count, float *out)
{
  const auto width = plane.columns.size ();
  kernels::HWY_NAMESPACE::over (count, [&] (auto d, int64_t i) HWY_ATTR {
    const auto taps = taps_of (d, plane, rows, row, columns, i);
    const auto x = hn::LoadU (d, columns.behind + i);
    auto value = between (d, taps.at (0), taps.at (1), x);
    if (rows)
      value = between (d, value, between (d, taps.at (width), taps.at (width + 1), x), hn::LoadU (d, rows->behind + i));
    hn::StoreU (value, d, out + i);
  });
}

template <class D> struct Weights {
  hn::Vec<D> of[4];

  // Weights of the four coefficients around a position that is `t` after the second one.
  HWY_INLINE Weights (D d, hn::Vec<D> t)
  {
    const auto number = [d] (float x) HWY_ATTR { return hn::Set (d, x); };
    const auto six = number (6), s = hn::Sub (number (1), t);
    const auto inner = [&] (hn::Vec<D> u) HWY_ATTR {
      const auto cube = hn::Mul (hn::Mul (hn::Mul (number (3), u), u), u), square = hn::Mul (hn::Mul (six, u), u);
      return hn::Div (hn::Add (hn::Sub (cube, square), number (4)), six);
    };
    of[0] = hn::Div (hn::Mul (hn::Mul (s, s), s), six);
    of[1] = inner (t);
    of[2] = inner (s);
    of[3] = hn::Div (hn::Mul (hn::Mul (t, t), t), six);
  }
  HWY_INLINE hn::Vec<D> sum (hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c, hn::Vec<D> e) const
  {
    return hn::Add (hn::Add (hn::Add (hn::Mul (of[0], a), hn::Mul (of[1], b)), hn::Mul (of[2], c)), hn::Mul (of[3], e));
  }
};

void cubic (const Plane &plane, const Places *rows, int64_t row, const Places &columns, int64_t count, float *out)
{
  const auto width = plane.columns.size ();
  kernels::HWY_NAMESPACE::over (count, [&] (auto d, int64_t i) HWY_ATTR {
    const auto taps = taps_of (d, plane, rows, row, columns, i);
    const Weights across (d, hn::LoadU (d, columns.behind + i));
    const auto along = [&] (int64_t line) HWY_ATTR {
      const auto at = line * width;
      return across.sum (taps.at (at - 1), taps.at (at), taps.at (at + 1), taps.at (at + 2));
    };
    if (rows)
      hn::StoreU (Weights (d, hn::LoadU (d, rows->behind + i)).sum (along (-1), along (0), along (1), along (2)), d,
                  out + i);
    else
      hn::StoreU (along (0), d, out + i);
  });
}

} // namespace sino::move_pixels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::move_pixels {

HWY_EXPORT (split);
HWY_EXPORT (linear);
HWY_EXPORT (cubic);

Interval split_places (const double *places, int64_t count, int64_t extent, int64_t border, Places to)
{
  return HWY_DYNAMIC_DISPATCH (split) (places, count, extent, border, to);
}

void sample_linear (const Plane &plane, const Places *rows, int64_t row, const Places &columns, int64_t count,
                    float *out)
{
  HWY_DYNAMIC_DISPATCH (linear) (plane, rows, row, columns, count, out);
}

void sample_cubic (const Plane &plane, const Places *rows, int64_t row, const Places &columns, int64_t count,
                   float *out)
{
  HWY_DYNAMIC_DISPATCH (cubic) (plane, rows, row, columns, count, out);
}

} // namespace sino::move_pixels
#endif
