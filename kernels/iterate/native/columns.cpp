// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms along columns, products with the kernel or the metric, and the transforms back.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/native/columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/fft-inl.hpp"
#include "kernels/iterate/native/lines-inl.hpp"
#include "kernels/iterate/place.hpp"

#if (HWY_TARGET & SINO_SETS) && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {

constexpr int64_t down = columns_together * lanes; // from a row to the next, in floats

// What a column reads meanwhile for a later transform is fetched.
struct FromColumn {
  const float *column, *later;
  HWY_INLINE Value operator() (int j) const
  {
    fetch_later (later + j * down);
    return load (column + j * down);
  }
};
struct FromColumnTurned {
  FromColumn from;
  const float *turns;
  HWY_INLINE Value operator() (int j) const { return turned (from (j), turns + int64_t{2} * j); }
};
struct FromLine {
  const float *line;
  HWY_INLINE Value operator() (int k) const { return load (line + static_cast<int64_t> (k) * lanes); }
};
struct ToProduct {
  float *line;
  const float *factors;
  HWY_INLINE void operator() (int k, Value v) const
  {
    store (hn::Mul (v, real (factors[k])), line + static_cast<int64_t> (k) * lanes);
  }
};
struct ToQuotient {
  float *line;
  const float *divisors;
  Value scale, add; // the whole divisor: scale * divisor + add
  HWY_INLINE void operator() (int k, Value v) const
  {
    store (hn::Div (v, hn::MulAdd (real (divisors[k]), scale, add)), line + static_cast<int64_t> (k) * lanes);
  }
};
struct ToColumn {
  float *column;
  int64_t n;
  HWY_INLINE void operator() (int k, Value v) const { store (v, column + back (n, k) * down); }
};
struct ToColumnSum {
  float *column;
  const float *even, *turns;
  int64_t n;
  HWY_INLINE void operator() (int k, Value v) const
  {
    const auto j = back (n, k);
    store (hn::Add (load (even + j * lanes), turned_back (v, turns + 2 * j)), column + j * down);
  }
};

// Column c of a group, and where the next one begins.
struct Column {
  float *values;
  const float *next;
  int64_t number;

  Column (const Plan &plan, float *z, int64_t group, int64_t c)
      : values (z + (group * group_stride (plan.n) + c) * lanes),
        next (c + 1 < columns_together ? values + lanes : z + (group + 1) * group_stride (plan.n) * lanes),
        number (group * columns_together + c)
  {
  }
};

void convolve (const Plan &plan, const Memory &memory, int parity, int64_t group, float *work)
{
  const auto n = plan.n;
  const auto &fft = plan.fft;
  float *const line = row_of (plan, work), *const even = line + n * lanes;
  const float *turns = plan.half_turns.data ();
  for (int64_t c = 0; c < columns_together; c++) {
    const Column column (plan, parity ? memory.z1 : memory.z0, group, c);
    float *const values = column.values;
    const float *kernel = plan.kernel.data () + (parity * 2 * n + column.number) * n;
    transform (fft, work, FromColumn{values, values}, ToProduct{line, kernel});
    transform (fft, work, FromLine{line}, ToLine{even, n});
    transform (fft, work, FromColumnTurned{{values, column.next}, turns}, ToProduct{line, kernel + n * n});
    transform (fft, work, FromLine{line}, ToColumnSum{values, even, turns, n});
  }
}

void divide (const Plan &plan, const Memory &memory, int64_t group, float *work)
{
  const auto n = plan.n;
  float *const line = row_of (plan, work);
  for (int64_t c = 0; c < columns_together; c++) {
    const Column column (plan, memory.z0, group, c);
    const float *metric = plan.metric.data () + column.number * n;
    transform (plan.fft, work, FromColumn{column.values, column.next}, ToProduct{line, metric});
    transform (plan.fft, work, FromLine{line}, ToColumn{column.values, n});
  }
}

// Plan::metric is over n^2, and transforms there and back multiply by n^2.
void divide_by (const Plan &plan, const Memory &memory, const float *add, int64_t group, float *work)
{
  const auto n = plan.n;
  float *const line = row_of (plan, work);
  const auto square = real (static_cast<float> (n * n)), more = hn::Mul (hn::LoadU (Tag (), add), square);
  for (int64_t c = 0; c < columns_together; c++) {
    const Column column (plan, memory.z0, group, c);
    const float *divisors = plan.metric.data () + column.number * n;
    transform (plan.fft, work, FromColumn{column.values, column.next},
               ToQuotient{line, divisors, hn::Mul (square, square), more});
    transform (plan.fft, work, FromLine{line}, ToColumn{column.values, n});
  }
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
