// SPDX-License-Identifier: LGPL-3.0-or-later
// What the stages of an instruction set share: transforms of rows, and sums.
#if defined(SINO_ITERATE_LINES) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_ITERATE_LINES
#undef SINO_ITERATE_LINES
#else
#define SINO_ITERATE_LINES
#endif

#include "kernels/fourier-reconstruct/native/complex-inl.hpp"
#include "kernels/iterate/stack.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {
using namespace fourier_reconstruct::HWY_NAMESPACE;

// A row of T's first pass, from a row of an image, and of its last pass; then the same for the metric.
void lay_row (const Plan &plan, const Memory &memory, const float *from, int64_t row, float *scratch);
void take_row (const Plan &plan, const Memory &memory, float *to, int64_t row, float *scratch);
void lay_metric_row (const Plan &plan, const Memory &memory, const float *from, int64_t row, float *scratch);
void take_metric_row (const Plan &plan, const Memory &memory, float *to, int64_t row, float *scratch);
// x' from a row of changes, which may be that of q; then q.
void update_row (const Plan &plan, const Memory &memory, const TvSteps &steps, const float *change, int64_t row);

HWY_INLINE void store (Value v, float *to)
{
  hn::Store (v, Tag (), to);
}
HWY_INLINE void clear (float *values, int64_t vectors)
{
  for (int64_t i = 0; i < vectors * lanes; i += lanes)
    store (hn::Zero (Tag ()), values + i);
}

// Work memory: `scratch` vectors for a transform, then a row.
HWY_INLINE float *row_of (const Plan &plan, float *work)
{
  return work + plan.fft.scratch () * lanes;
}
// A row of an image.
HWY_INLINE float *row_of (const Plan &plan, float *image, int64_t row)
{
  return image + row * plan.n * lanes;
}

// The pixels of a row inside the circle, in floats of the row.
struct Range {
  int64_t begin, end;
};
HWY_INLINE Range inside (const Plan &plan, int64_t row)
{
  const auto y = static_cast<size_t> (row);
  return {plan.first[y] * int64_t{lanes}, plan.last[y] * int64_t{lanes}};
}
HWY_INLINE void clear_outside (const Plan &plan, float *values, Range in)
{
  clear (values, in.begin / lanes);
  clear (values + in.end, plan.n - in.end / lanes);
}

// Products of all lanes added in double, because a row has thousands.
class Sum
{
public:
  HWY_INLINE Sum () // an implicit one would not be compiled for the instruction set
  {
#if HWY_HAVE_FLOAT64
    low = high = hn::Zero (Doubles ());
#endif
  }
  HWY_INLINE void add (Value a, Value b)
  {
#if HWY_HAVE_FLOAT64
    low = hn::MulAdd (lower (a), lower (b), low);
    high = hn::MulAdd (upper (a), upper (b), high);
#else
    HWY_ALIGN float as[lanes], bs[lanes];
    store (a, as);
    store (b, bs);
    for (int lane = 0; lane < lanes; lane++)
      sums[lane] += static_cast<double> (as[lane]) * static_cast<double> (bs[lane]);
#endif
  }
  HWY_INLINE void keep (double *to) const
  {
#if HWY_HAVE_FLOAT64
    hn::StoreU (low, Doubles (), to);
    hn::StoreU (high, Doubles (), to + lanes / 2);
#else
    for (int lane = 0; lane < lanes; lane++)
      to[lane] = sums[lane];
#endif
  }

private:
#if HWY_HAVE_FLOAT64
  using Doubles = hn::CappedTag<double, lanes / 2>;
  using Floats = hn::Half<Tag>;
  static HWY_INLINE hn::Vec<Doubles> lower (Value v)
  {
    return hn::PromoteTo (Doubles (), hn::LowerHalf (Floats (), v));
  }
  static HWY_INLINE hn::Vec<Doubles> upper (Value v)
  {
    return hn::PromoteTo (Doubles (), hn::UpperHalf (Floats (), v));
  }
  hn::Vec<Doubles> low, high;
#else
  double sums[lanes] = {};
#endif
};
// A transform of the other sign gives value j as result n - j.
HWY_INLINE int64_t back (int64_t n, int k)
{
  return k ? n - k : 0;
}
struct ToLine {
  float *line;
  int64_t n;
  HWY_INLINE void operator() (int k, Value v) const { store (v, line + back (n, k) * lanes); }
};
// The sums of a row: first or second.
HWY_INLINE double *sums_of (const Memory &memory, int64_t row, int which)
{
  return memory.sums + (2 * row + which) * lanes;
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif

#endif
