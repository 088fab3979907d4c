// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/volume-tv.cpp"
#include <cfloat>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/iterate/volume-tv.hpp"
#include <algorithm>

HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LineTag = hn::CappedTag<float, 16>;
using LineVector = hn::Vec<LineTag>;

// Calls body (i, z) for the vectors of the lines of columns x, where i is a place in the arrays.
template <class Body> HWY_INLINE void over_lines (const VolumeTv &tv, Interval columns, int64_t y, Body body)
{
  const auto step = static_cast<int64_t> (hn::Lanes (LineTag ()));
  for (auto x = columns.begin; x < columns.end; x++)
    for (int64_t z = 0; z < tv.slices; z += step)
      body ((y * tv.columns + x) * tv.line + z, x, z);
}

HWY_INLINE LineVector numbers (int64_t z)
{
  return hn::Iota (LineTag (), static_cast<float> (z));
}

void duals_of (const VolumeTv &tv, int64_t y)
{
  const LineTag d;
  const auto set = [&] (float value) HWY_ATTR { return hn::Set (d, value); };
  const auto lambda = set (tv.lambda), sigma = set (tv.sigma), rise = set (tv.rise), zero = hn::Zero (d);
  const auto least = hn::Max (lambda, set (FLT_MIN)), last = set (static_cast<float> (tv.slices - 1));
  const auto below = y + 1 < tv.lines ? tv.columns * tv.line : 0;
  over_lines (tv, {0, tv.columns}, y, [&] (int64_t i, int64_t x, int64_t z) HWY_ATTR {
    const auto *q = tv.q + i;
    const auto here = hn::Load (d, q), right = hn::Load (d, x + 1 < tv.columns ? q + tv.line : q);
    const auto number = numbers (z);
    const auto next = hn::IfThenElse (hn::Lt (number, last), hn::LoadU (d, q + 1), here);
    const auto a = hn::MulAdd (sigma, hn::Sub (hn::Load (d, q + below), here), hn::Load (d, tv.y0 + i));
    const auto b = hn::MulAdd (sigma, hn::Sub (right, here), hn::Load (d, tv.y1 + i));
    const auto c = hn::MulAdd (sigma, hn::Sub (next, here), hn::Load (d, tv.y2 + i));
    const auto size = hn::Sqrt (hn::MulAdd (a, a, hn::MulAdd (b, b, hn::Mul (c, c))));
    const auto share = hn::IfThenElseZero (hn::Le (number, last), hn::Div (lambda, hn::Max (size, least)));
    hn::Store (hn::Mul (a, share), d, tv.y0 + i);
    hn::Store (hn::Mul (b, share), d, tv.y1 + i);
    hn::Store (hn::Mul (c, share), d, tv.y2 + i);
    hn::Store (hn::Min (hn::MulAdd (rise, here, hn::Load (d, tv.positive + i)), zero), d, tv.positive + i);
  });
}

void gradient_of (const VolumeTv &tv, Interval inside, int64_t y)
{
  const LineTag d;
  const auto share = hn::Set (d, tv.share), zero = hn::Zero (d), last = hn::Set (d, static_cast<float> (tv.slices - 1));
  const auto clear = [&] (int64_t begin, int64_t end) {
    std::fill (tv.gradient + (y * tv.columns + begin) * tv.line, tv.gradient + (y * tv.columns + end) * tv.line, 0.0F);
  };
  over_lines (tv, inside, y, [&] (int64_t i, int64_t x, int64_t z) HWY_ATTR {
    const auto above = y ? hn::Load (d, tv.y0 + i - tv.columns * tv.line) : zero,
               left = x ? hn::Load (d, tv.y1 + i - tv.line) : zero;
    const auto before = z ? hn::LoadU (d, tv.y2 + i - 1)
                          : hn::IfThenElseZero (hn::Gt (numbers (0), zero), hn::LoadU (d, tv.y2 + i - 1));
    const auto here = hn::Add (hn::Add (hn::Load (d, tv.y0 + i), hn::Load (d, tv.y1 + i)), hn::Load (d, tv.y2 + i));
    const auto rest = hn::Sub (hn::Add (hn::Add (above, left), before), here);
    const auto value = hn::Add (hn::MulAdd (hn::Load (d, tv.gradient + i), share, hn::Load (d, tv.positive + i)), rest);
    hn::Store (hn::IfThenElseZero (hn::Le (numbers (z), last), value), d, tv.gradient + i);
  });
  clear (0, inside.begin);
  clear (inside.end, tv.columns);
}

Changes update_of (const VolumeTv &tv, Interval inside, int64_t y)
{
  const LineTag d;
  const auto last = hn::Set (d, static_cast<float> (tv.slices - 1));
  Changes all{};
  for (auto x = inside.begin; x < inside.end; x++) {
    auto changes = hn::Zero (d), squares = hn::Zero (d);
    over_lines (tv, {x, x + 1}, y, [&] (int64_t i, int64_t, int64_t z) HWY_ATTR {
      const auto change = hn::IfThenElseZero (hn::Le (numbers (z), last), hn::Neg (hn::Load (d, tv.gradient + i)));
      const auto now = hn::Add (hn::Load (d, tv.x + i), change);
      changes = hn::MulAdd (change, change, changes);
      squares = hn::MulAdd (now, now, squares);
      hn::Store (now, d, tv.x + i);
      hn::Store (hn::Add (now, change), d, tv.q + i);
    });
    all.change += static_cast<double> (hn::GetLane (hn::SumOfLanes (d, changes)));
    all.square += static_cast<double> (hn::GetLane (hn::SumOfLanes (d, squares)));
  }
  return all;
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::iterate {

HWY_EXPORT (duals_of);
HWY_EXPORT (gradient_of);
HWY_EXPORT (update_of);

void volume_duals (const VolumeTv &tv, int64_t y)
{
  HWY_DYNAMIC_DISPATCH (duals_of) (tv, y);
}

void volume_gradient (const VolumeTv &tv, Interval columns_inside, int64_t y)
{
  HWY_DYNAMIC_DISPATCH (gradient_of) (tv, columns_inside, y);
}

Changes volume_update (const VolumeTv &tv, Interval columns_inside, int64_t y)
{
  return HWY_DYNAMIC_DISPATCH (update_of) (tv, columns_inside, y);
}

} // namespace sino::iterate
#endif
