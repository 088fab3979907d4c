// SPDX-License-Identifier: LGPL-3.0-or-later
// A vector of complex values, real and imaginary parts alternating. Each complex value holds two slices: all operations
// are linear, and the result is real for each slice.
#if defined(SINO_FOURIER_COMPLEX) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_FOURIER_COMPLEX
#undef SINO_FOURIER_COMPLEX
#else
#define SINO_FOURIER_COMPLEX
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Value = hn::Vec<Tag>;
constexpr int lanes = static_cast<int> (hn::MaxLanes (Tag ()));
static_assert (lanes >= 4 || HWY_TARGET == HWY_SCALAR);

#if HWY_TARGET != HWY_SCALAR // scalar targets have no second lane

HWY_INLINE Value load (const float *from)
{
  return hn::Load (Tag (), from);
}
// Prefetches to the second cache: data needed a whole row later would evict other data from the first one.
HWY_INLINE void fetch_later (const void *vector)
{
  __builtin_prefetch (vector, 0, 2);
}
HWY_INLINE Value real (float x)
{
  return hn::Set (Tag (), x);
}

// x y -+ z: minus for real parts, plus for imaginary parts.
HWY_INLINE Value mul_sub_add (Value x, Value y, Value z)
{
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return Value{_mm512_fmaddsub_ps (x.raw, y.raw, z.raw)};
#elif HWY_TARGET == HWY_AVX2
  return Value{_mm256_fmaddsub_ps (x.raw, y.raw, z.raw)};
#else
  return hn::MulAdd (x, y, hn::OddEven (z, hn::Neg (z)));
#endif
}
// x y +- z
HWY_INLINE Value mul_add_sub (Value x, Value y, Value z)
{
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return Value{_mm512_fmsubadd_ps (x.raw, y.raw, z.raw)};
#elif HWY_TARGET == HWY_AVX2
  return Value{_mm256_fmsubadd_ps (x.raw, y.raw, z.raw)};
#else
  return hn::MulAdd (x, y, hn::OddEven (hn::Neg (z), z));
#endif
}

HWY_INLINE Value swapped (Value x)
{
  return hn::Reverse2 (Tag (), x);
}
// a + i b, a - i b
HWY_INLINE Value add_i (Value a, Value b)
{
  return mul_sub_add (a, real (1), swapped (b));
}
HWY_INLINE Value sub_i (Value a, Value b)
{
  return mul_add_sub (a, real (1), swapped (b));
}
// x w, with the same complex w for all values.
HWY_INLINE Value turned (Value x, const float *w)
{
  return mul_sub_add (x, real (w[0]), hn::Mul (swapped (x), real (w[1])));
}
// x conj (w)
HWY_INLINE Value turned_back (Value x, const float *w)
{
  return mul_add_sub (x, real (w[0]), hn::Mul (swapped (x), real (w[1])));
}

#endif

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
