// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms along rows. Results go around the caches, because columns read them after all rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/native/rows.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/fft-inl.hpp"
#include "kernels/iterate/native/lines-inl.hpp"
#include "kernels/iterate/place.hpp"

#if (HWY_TARGET & SINO_SETS) && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {

struct FromRow {
  const float *row;
  HWY_INLINE Value operator() (int j) const { return load (row + static_cast<int64_t> (j) * lanes); }
};
struct FromRowTurned {
  const float *row, *turns;
  HWY_INLINE Value operator() (int j) const { return turned (FromRow{row}(j), turns + int64_t{2} * j); }
};
struct ToFrequencies {
  float *z;
  int64_t n, row;
  HWY_INLINE void operator() (int k, Value v) const { hn::Stream (v, Tag (), z + place (n, k, row) * lanes); }
};
struct FromFrequencies {
  const float *z;
  int64_t n, row;
  HWY_INLINE Value operator() (int k) const
  {
    const float *from = z + place (n, k, row) * lanes;
    fetch_later (from + columns_together * lanes); // the next row
    return load (from);
  }
};
struct AddToRow {
  float *row;
  int64_t n;
  const float *turns;
  HWY_INLINE void operator() (int k, Value v) const
  {
    const auto j = back (n, k);
    float *to = row + j * lanes;
    store (hn::Add (load (to), turned_back (v, turns + 2 * j)), to);
  }
};

void lay_metric_row (const Plan &plan, const Memory &memory, const float *from, int64_t row, float *scratch)
{
  transform (plan.fft, scratch, FromRow{from}, ToFrequencies{memory.z0, plan.n, row});
  hwy::FlushStream ();
}

void lay_row (const Plan &plan, const Memory &memory, const float *from, int64_t row, float *scratch)
{
  transform (plan.fft, scratch, FromRow{from}, ToFrequencies{memory.z0, plan.n, row});
  transform (plan.fft, scratch, FromRowTurned{from, plan.half_turns.data ()}, ToFrequencies{memory.z1, plan.n, row});
  hwy::FlushStream ();
}

void take_metric_row (const Plan &plan, const Memory &memory, float *to, int64_t row, float *scratch)
{
  transform (plan.fft, scratch, FromFrequencies{memory.z0, plan.n, row}, ToLine{to, plan.n});
}

void take_row (const Plan &plan, const Memory &memory, float *to, int64_t row, float *scratch)
{
  take_metric_row (plan, memory, to, row, scratch);
  transform (plan.fft, scratch, FromFrequencies{memory.z1, plan.n, row}, AddToRow{to, plan.n, plan.half_turns.data ()});
}

void lay_metric (const Plan &plan, const Memory &memory, const float *from, int64_t columns, int64_t stride,
                 int64_t row, float *work)
{
  float *const line = row_of (plan, work);
  for (int64_t x = 0; x < columns; x++)
    store (load (from + x * stride), line + x * lanes);
  clear (line + columns * lanes, plan.n - columns);
  lay_metric_row (plan, memory, line, row, work);
}

void take_metric (const Plan &plan, const Memory &memory, float *to, int64_t columns, int64_t stride, int64_t row,
                  float *work)
{
  float *const line = row_of (plan, work);
  take_metric_row (plan, memory, line, row, work);
  for (int64_t x = 0; x < columns; x++)
    store (load (line + x * lanes), to + x * stride);
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
