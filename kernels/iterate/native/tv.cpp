// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of TV. Nothing outside the circle is touched, except duals between its border and what is outside.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/native/tv.cpp"
#include <cfloat>
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/iterate/native/lines-inl.hpp"
#include <algorithm>

#if (HWY_TARGET & SINO_SETS) && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {

HWY_INLINE hn::Mask<Tag> lanes_in (uint32_t bits)
{
  uint8_t bytes[8] = {static_cast<uint8_t> (bits), static_cast<uint8_t> (bits >> 8)}; // it may read 8
  return hn::LoadMaskBits (Tag (), bytes);
}

void begin_tv (const Plan &plan, const Memory &memory, int64_t row)
{
  const auto in = inside (plan, row);
  float *const x = row_of (plan, memory.x, row), *const q = row_of (plan, memory.q, row);
  clear_outside (plan, x, in);
  for (int64_t i = 0; i < plan.n * lanes; i += lanes)
    store (load (x + i), q + i);
  for (float *image : {memory.y0, memory.y1, memory.positive, memory.y2})
    if (image)
      clear (row_of (plan, image, row), plan.n);
}

// What the slices behind those of a vector have in its pixel. `behind`: the same pixel in the next stack.
HWY_INLINE Value lanes_behind (const float *pixel, const float *behind)
{
  const auto last = hn::Not (hn::FirstN (Tag (), lanes - 1));
  return hn::IfThenElse (last, real (behind[0]), hn::LoadU (Tag (), pixel + 1));
}
HWY_INLINE Value lanes_before (const float *pixel, const float *before)
{
  const auto first = hn::FirstN (Tag (), 1);
  return hn::IfThenElse (first, real (before ? before[lanes - 1] : 0), hn::LoadU (Tag (), pixel - 1));
}

// The pixels whose gradient, to the right and down, has a part inside the circle.
HWY_INLINE Range duals (const Plan &plan, int64_t row)
{
  const auto here = inside (plan, row), below = inside (plan, std::min (row + 1, plan.n - 1));
  return {std::max (int64_t{0}, std::min (here.begin - lanes, below.begin)), std::max (here.end, below.end)};
}

// `deep`: in three dimensions.
template <bool deep>
HWY_INLINE void step_duals (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row)
{
  const auto lambda = load (steps.lambda), sigma = load (steps.sigma), rise = load (steps.positive);
  const auto along = load (steps.along);
  const auto moving = hn::Not (lanes_in (steps.frozen));
  const auto least = hn::Max (lambda, real (FLT_MIN)); // so that 0 / 0 is not NaN
  const auto zero = hn::Zero (Tag ());
  const float *const q = row_of (plan, memory.q, row), *const below = row + 1 < plan.n ? q + plan.n * lanes : q;
  float *const y0 = row_of (plan, memory.y0, row), *const y1 = row_of (plan, memory.y1, row);
  float *const positive = row_of (plan, memory.positive, row);
  float *const y2 = deep ? row_of (plan, memory.y2, row) : nullptr;
  const float *const behind = deep && memory.q_behind ? memory.q_behind + row * plan.n * lanes : q;
  const auto [begin, end] = duals (plan, row);
  const auto end_of_row = (plan.n - 1) * lanes;
  for (int64_t i = begin; i < end; i += lanes) {
    const auto here = load (q + i), right = i < end_of_row ? load (q + i + lanes) : here;
    const auto old0 = load (y0 + i), old1 = load (y1 + i), old = load (positive + i);
    const auto a = hn::MulAdd (sigma, hn::Sub (load (below + i), here), old0);
    const auto b = hn::MulAdd (sigma, hn::Sub (right, here), old1);
    auto square = hn::MulAdd (a, a, hn::Mul (b, b)), c = zero, old2 = zero;
    if constexpr (deep) {
      old2 = load (y2 + i);
      c = hn::MulAdd (along, hn::Sub (lanes_behind (q + i, behind + i), here), old2);
      square = hn::MulAdd (c, c, square);
    }
    const auto share = hn::Div (lambda, hn::Max (hn::Sqrt (square), least));
    store (hn::IfThenElse (moving, hn::Mul (a, share), old0), y0 + i);
    store (hn::IfThenElse (moving, hn::Mul (b, share), old1), y1 + i);
    store (hn::IfThenElse (moving, hn::Min (hn::MulAdd (rise, here, old), zero), old), positive + i);
    if constexpr (deep)
      store (hn::IfThenElse (moving, hn::Mul (c, share), old2), y2 + i);
  }
}

void lay_duals (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work)
{
  if (memory.y2)
    step_duals<true> (plan, memory, steps, row);
  else
    step_duals<false> (plan, memory, steps, row);
  lay_row (plan, memory, row_of (plan, memory.x, row), row, work);
}

// T x - c + grad^T y + w.
template <bool deep>
HWY_INLINE void gradient_row (const Plan &plan, const Memory &memory, float *gradient, int64_t row, float *work)
{
  take_row (plan, memory, gradient, row, work);
  const float *const x = row_of (plan, memory.x, row), *const data = row_of (plan, memory.data, row);
  const float *const y0 = row_of (plan, memory.y0, row), *const y1 = row_of (plan, memory.y1, row);
  const float *const positive = row_of (plan, memory.positive, row);
  const float *const y2 = deep ? row_of (plan, memory.y2, row) : nullptr;
  const float *const before = deep && memory.y2_before ? memory.y2_before + row * plan.n * lanes : nullptr;
  const auto in = inside (plan, row);
  Sum sum;
  // Duals of the last row and column are 0, for the gradient has no part beyond the image.
  for (int64_t i = in.begin; i < in.end; i += lanes) {
    const auto c = load (data + i), tx = load (gradient + i), off = hn::Sub (tx, c);
    sum.add (load (x + i), hn::Sub (off, c));
    const auto above = row ? load (y0 + i - plan.n * lanes) : hn::Zero (Tag ());
    const auto left = i ? load (y1 + i - lanes) : hn::Zero (Tag ());
    auto rest = hn::Sub (hn::Add (above, left), hn::Add (load (y0 + i), load (y1 + i)));
    if constexpr (deep)
      rest = hn::Add (rest, hn::Sub (lanes_before (y2 + i, before ? before + i : nullptr), load (y2 + i)));
    store (hn::Add (hn::Add (off, load (positive + i)), rest), gradient + i);
  }
  sum.keep (sums_of (memory, row, 0));
  clear_outside (plan, gradient, in);
}

void lay_gradient (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  float *const gradient = row_of (plan, work);
  gradient_row<false> (plan, memory, gradient, row, work);
  lay_metric_row (plan, memory, gradient, row, work);
}

void take_gradient (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  gradient_row<true> (plan, memory, row_of (plan, memory.q, row), row, work);
}

void update_row (const Plan &plan, const Memory &memory, const TvSteps &steps, const float *change, int64_t row)
{
  const auto moving = hn::Not (lanes_in (steps.frozen));
  float *const x = row_of (plan, memory.x, row), *const q = row_of (plan, memory.q, row);
  const auto in = inside (plan, row);
  Sum changes, squares;
  for (int64_t i = in.begin; i < in.end; i += lanes) {
    const auto old = load (x + i), now = hn::Sub (old, hn::IfThenElseZero (moving, load (change + i)));
    const auto difference = hn::Sub (now, old);
    changes.add (difference, difference);
    squares.add (now, now);
    store (now, x + i);
    hn::Stream (hn::Add (now, difference), Tag (), q + i); // read after all rows
  }
  hwy::FlushStream ();
  changes.keep (sums_of (memory, row, 0));
  squares.keep (sums_of (memory, row, 1));
}

void update (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work)
{
  float *const change = row_of (plan, work);
  take_metric_row (plan, memory, change, row, work);
  update_row (plan, memory, steps, change, row);
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
