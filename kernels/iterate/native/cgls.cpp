// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of CGLS, and of T alone. Outside the circle, x, r and p stay 0; q and z are not read there.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/native/cgls.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/iterate/native/lines-inl.hpp"

#if (HWY_TARGET & SINO_SETS) && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {

void lay (const Plan &plan, const Memory &memory, const float *image, int64_t row, float *work)
{
  lay_row (plan, memory, image + row * plan.n * lanes, row, work);
}

void take (const Plan &plan, const Memory &memory, float *image, int64_t row, float *work)
{
  take_row (plan, memory, row_of (plan, image, row), row, work);
}

void begin_cgls (const Plan &plan, const Memory &memory, int64_t row)
{
  const auto in = inside (plan, row);
  float *const x = row_of (plan, memory.x, row), *const r = row_of (plan, memory.y0, row);
  float *const p = row_of (plan, memory.y1, row);
  const float *const data = row_of (plan, memory.data, row);
  for (int64_t i = in.begin; i < in.end; i += lanes) {
    store (load (x + i), p + i);
    store (load (data + i), r + i);
  }
  clear (x, plan.n);
  clear_outside (plan, p, in);
  clear_outside (plan, r, in);
}

void take_product (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  const auto in = inside (plan, row);
  float *const q = row_of (plan, memory.q, row);
  const float *const p = row_of (plan, memory.y1, row);
  take_row (plan, memory, q, row, work);
  Sum sum;
  for (int64_t i = in.begin; i < in.end; i += lanes)
    sum.add (load (p + i), load (q + i));
  sum.keep (sums_of (memory, row, 0));
}

void step (const Plan &plan, const Memory &memory, const float *alpha, int64_t row, float *work)
{
  const auto in = inside (plan, row);
  const auto factor = hn::LoadU (Tag (), alpha);
  float *const x = row_of (plan, memory.x, row), *const r = row_of (plan, memory.y0, row);
  const float *const p = row_of (plan, memory.y1, row), *const q = row_of (plan, memory.q, row);
  Sum sum;
  for (int64_t i = in.begin; i < in.end; i += lanes) {
    const auto rest = hn::NegMulAdd (factor, load (q + i), load (r + i));
    store (hn::MulAdd (factor, load (p + i), load (x + i)), x + i);
    store (rest, r + i);
    sum.add (rest, rest);
  }
  sum.keep (sums_of (memory, row, 0));
  lay_metric_row (plan, memory, r, row, work);
}

void take_direction (const Plan &plan, const Memory &memory, int64_t row, float *work)
{
  const auto in = inside (plan, row);
  float *const z = row_of (plan, memory.positive, row);
  const float *const r = row_of (plan, memory.y0, row);
  take_metric_row (plan, memory, z, row, work);
  Sum sum;
  for (int64_t i = in.begin; i < in.end; i += lanes)
    sum.add (load (r + i), load (z + i));
  sum.keep (sums_of (memory, row, 0));
}

void turn (const Plan &plan, const Memory &memory, const float *beta, int64_t row)
{
  const auto in = inside (plan, row);
  const auto factor = hn::LoadU (Tag (), beta);
  float *const p = row_of (plan, memory.y1, row);
  const float *const z = row_of (plan, memory.positive, row);
  for (int64_t i = in.begin; i < in.end; i += lanes)
    store (hn::MulAdd (factor, load (p + i), load (z + i)), p + i);
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
