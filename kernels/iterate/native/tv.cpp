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
  for (float *image : {memory.y0, memory.y1, memory.positive})
    clear (row_of (plan, image, row), plan.n);
}

// The pixels whose gradient, to the right and down, has a part inside the circle.
HWY_INLINE Range duals (const Plan &plan, int64_t row)
{
  const auto here = inside (plan, row), below = inside (plan, std::min (row + 1, plan.n - 1));
  return {std::max (int64_t{0}, std::min (here.begin - lanes, below.begin)), std::max (here.end, below.end)};
}

void lay_duals (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work)
{
  const auto lambda = load (steps.lambda), sigma = load (steps.sigma), rise = load (steps.positive);
  const auto moving = hn::Not (lanes_in (steps.frozen));
  const auto least = hn::Max (lambda, real (FLT_MIN)); // so that 0 / 0 is not NaN
  const auto zero = hn::Zero (Tag ());
  const float *const q = row_of (plan, memory.q, row), *const below = row + 1 < plan.n ? q + plan.n * lanes : q;
  float *const y0 = row_of (plan, memory.y0, row), *const y1 = row_of (plan, memory.y1, row);
  float *const positive = row_of (plan, memory.positive, row);
  const auto [begin, end] = duals (plan, row);
  const auto end_of_row = (plan.n - 1) * lanes;
  for (int64_t i = begin; i < end; i += lanes) {
    const auto here = load (q + i), right = i < end_of_row ? load (q + i + lanes) : here;
    const auto old0 = load (y0 + i), old1 = load (y1 + i), old = load (positive + i);
    const auto a = hn::MulAdd (sigma, hn::Sub (load (below + i), here), old0);
    const auto b = hn::MulAdd (sigma, hn::Sub (right, here), old1);
    const auto size = hn::Sqrt (hn::MulAdd (a, a, hn::Mul (b, b)));
    const auto share = hn::Div (lambda, hn::Max (size, least));
    store (hn::IfThenElse (moving, hn::Mul (a, share), old0), y0 + i);
    store (hn::IfThenElse (moving, hn::Mul (b, share), old1), y1 + i);
    store (hn::IfThenElse (moving, hn::Min (hn::MulAdd (rise, here, old), zero), old), positive + i);
  }
  lay_row (plan, memory, row_of (plan, memory.x, row), row, work);
}

void lay_gradient (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  float *const gradient = row_of (plan, work);
  take_row (plan, memory, gradient, row, work);
  const float *const x = row_of (plan, memory.x, row), *const data = row_of (plan, memory.data, row);
  const float *const y0 = row_of (plan, memory.y0, row), *const y1 = row_of (plan, memory.y1, row);
  const float *const positive = row_of (plan, memory.positive, row);
  const auto in = inside (plan, row);
  Sum sum;
  // Duals of the last row and column are 0, for the gradient has no part beyond the image.
  for (int64_t i = in.begin; i < in.end; i += lanes) {
    const auto c = load (data + i), tx = load (gradient + i), off = hn::Sub (tx, c);
    sum.add (load (x + i), hn::Sub (off, c));
    const auto above = row ? load (y0 + i - plan.n * lanes) : hn::Zero (Tag ());
    const auto left = i ? load (y1 + i - lanes) : hn::Zero (Tag ());
    const auto rest = hn::Sub (hn::Add (above, left), hn::Add (load (y0 + i), load (y1 + i)));
    store (hn::Add (hn::Add (off, load (positive + i)), rest), gradient + i);
  }
  sum.keep (sums_of (memory, row, 0));
  clear_outside (plan, gradient, in);
  lay_metric_row (plan, memory, gradient, row, work);
}

void update (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work)
{
  float *const change = row_of (plan, work);
  take_metric_row (plan, memory, change, row, work);
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

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
