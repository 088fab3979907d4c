// SPDX-License-Identifier: LGPL-3.0-or-later
// The transform described at LaneFft. Functions supply its input and take its output, so that padding, filtering,
// folding and cropping need no additional pass through memory.
#if defined(SINO_FOURIER_FFT) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_FOURIER_FFT
#undef SINO_FOURIER_FFT
#else
#define SINO_FOURIER_FFT
#endif

#include "kernels/constants.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include "kernels/fourier-reconstruct/native/butterflies-inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {

// A transform of length 8 A; in (j) returns a value, out (k, value) takes one.
template <int A, class In, class Out> HWY_INLINE void transform_short (const float *turns, In in, Out out)
{
  Value values[A * 8];
  for (int b = 0; b < 8; b++) {
    Value u[A];
#pragma GCC unroll 16
    for (int a = 0; a < A; a++)
      u[a] = in (8 * a + b);
    transform<A> (u);
    values[b] = u[0];
#pragma GCC unroll 16
    for (int k = 1; k < A; k++)
      values[k * 8 + b] = turned (u[k], turns + 2 * (k * 8 + b));
  }
  for (int k = 0; k < A; k++) {
    Value u[8];
#pragma GCC unroll 8
    for (int q = 0; q < 8; q++)
      u[q] = values[k * 8 + q];
    transform_8 (u);
#pragma GCC unroll 8
    for (int q = 0; q < 8; q++)
      out (k + A * q, u[q]);
  }
}

// `middle`: [n1][n2 + 1] vectors; the odd stride puts columns into different cache sets.
template <int A, class In> HWY_NOINLINE void transform_columns (const LaneFft &fft, float *middle, In in)
{
  const int n2 = fft.n2, stride = n2 + 1;
  for (int j = 0; j < n2; j++) {
    const float *turns = fft.middle.data () + int64_t{2} * j * fft.n1;
    transform_short<A> (
        fft.inner1.data (), [&] (int q) { return in (q * n2 + j); },
        [&] (int k, Value v) {
          hn::Store (turned (v, turns + 2 * k), Tag (), middle + (static_cast<size_t> (k) * stride + j) * lanes);
        });
  }
}

template <int A, class Out> HWY_NOINLINE void transform_rows (const LaneFft &fft, const float *middle, Out out)
{
  const int n1 = fft.n1, stride = fft.n2 + 1;
  for (int k = 0; k < n1; k++)
    transform_short<A> (
        fft.inner2.data (), [&] (int q) { return load (middle + (static_cast<size_t> (k) * stride + q) * lanes); },
        [&] (int q, Value v) { out (k + n1 * q, v); });
}

// Calls out (k, sum over j of in (j) e^(2 pi i j k / n)), in any order. `scratch`: fft.scratch () vectors.
template <class In, class Out> void transform (const LaneFft &fft, float *scratch, In in, Out out)
{
  const auto with_radix = [] (int radix, auto f) {
    kernels::with_constant<1, 2, 3, 4, 5, 6, 8, 10, 12, 16> (radix, f);
  };
  with_radix (fft.n1 / 8, [&] (auto a) { transform_columns<a> (fft, scratch, in); });
  with_radix (fft.n2 / 8, [&] (auto a) { transform_rows<a> (fft, scratch, out); });
}

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif

#endif
