// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms of a few complex values in registers, y[k] = sum over j of x[j] e^(-2 pi i j k / N), unnormalised.
#if defined(SINO_FFT_BUTTERFLIES) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_FFT_BUTTERFLIES
#undef SINO_FFT_BUTTERFLIES
#else
#define SINO_FFT_BUTTERFLIES
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector of complex values.
template <class D> struct Values {
  hn::Vec<D> re, im;

  friend HWY_INLINE Values operator+ (Values a, Values b) { return {hn::Add (a.re, b.re), hn::Add (a.im, b.im)}; }
  friend HWY_INLINE Values operator- (Values a, Values b) { return {hn::Sub (a.re, b.re), hn::Sub (a.im, b.im)}; }
};

template <class D> HWY_INLINE Values<D> plus_i (Values<D> a, Values<D> b)
{
  return {hn::Sub (a.re, b.im), hn::Add (a.im, b.re)};
}
template <class D> HWY_INLINE Values<D> minus_i (Values<D> a, Values<D> b)
{
  return {hn::Add (a.re, b.im), hn::Sub (a.im, b.re)};
}
// a + f b
template <class D> HWY_INLINE Values<D> plus_times (Values<D> a, float f, Values<D> b)
{
  const auto factor = hn::Set (D (), f);
  return {hn::MulAdd (factor, b.re, a.re), hn::MulAdd (factor, b.im, a.im)};
}
template <class D> HWY_INLINE Values<D> times (float f, Values<D> b)
{
  const auto factor = hn::Set (D (), f);
  return {hn::Mul (factor, b.re), hn::Mul (factor, b.im)};
}
template <class D> HWY_INLINE Values<D> times (Values<D> a, Values<D> b)
{
  return {hn::NegMulAdd (a.im, b.im, hn::Mul (a.re, b.re)), hn::MulAdd (a.im, b.re, hn::Mul (a.re, b.im))};
}

// cos (2 pi k / N) and sin (2 pi k / N)
struct Turn {
  float cosine, sine;
};
template <int N> struct Turns;
template <> struct Turns<3> {
  static constexpr Turn of[] = {{1, 0}, {-0.5f, 0.86602540378443865f}, {-0.5f, -0.86602540378443865f}};
};
template <> struct Turns<5> {
  static constexpr Turn of[] = {{1, 0},
                                {0.30901699437494742f, 0.95105651629515357f},
                                {-0.80901699437494742f, 0.58778525229247313f},
                                {-0.80901699437494742f, -0.58778525229247313f},
                                {0.30901699437494742f, -0.95105651629515357f}};
};
template <> struct Turns<7> {
  static constexpr Turn of[] = {{1, 0},
                                {0.62348980185873353f, 0.78183148246802981f},
                                {-0.22252093395631440f, 0.97492791218182361f},
                                {-0.90096886790241913f, 0.43388373911755812f},
                                {-0.90096886790241913f, -0.43388373911755812f},
                                {-0.22252093395631440f, -0.97492791218182361f},
                                {0.62348980185873353f, -0.78183148246802981f}};
};

template <int N, class D> HWY_INLINE void transform_odd (Values<D> *x)
{
  constexpr int half = N / 2;
  Values<D> sum[half], difference[half], total = x[0];
#pragma GCC unroll 8
  for (int j = 0; j < half; j++) {
    sum[j] = x[j + 1] + x[N - 1 - j];
    difference[j] = x[j + 1] - x[N - 1 - j];
    total = total + sum[j];
  }
#pragma GCC unroll 8
  for (int k = 1; k <= half; k++) {
    auto even = plus_times (x[0], Turns<N>::of[k].cosine, sum[0]), odd = times (Turns<N>::of[k].sine, difference[0]);
#pragma GCC unroll 8
    for (int j = 1; j < half; j++) {
      const auto turn = Turns<N>::of[(j + 1) * k % N];
      even = plus_times (even, turn.cosine, sum[j]);
      odd = plus_times (odd, turn.sine, difference[j]);
    }
    x[k] = minus_i (even, odd);
    x[N - k] = plus_i (even, odd);
  }
  x[0] = total;
}

template <class D> HWY_INLINE void transform_2 (Values<D> *x)
{
  const auto a = x[0] + x[1], b = x[0] - x[1];
  x[0] = a;
  x[1] = b;
}

template <class D> HWY_INLINE void transform_4 (Values<D> *x)
{
  const auto a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
  x[0] = a + c;
  x[1] = minus_i (b, d);
  x[2] = a - c;
  x[3] = plus_i (b, d);
}

constexpr float root_half = 0.70710678118654752f;

template <class D> HWY_INLINE void transform_8 (Values<D> *x)
{
  Values<D> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  transform_4 (even);
  transform_4 (odd);
  const auto first = minus_i (odd[1], odd[1]), third = plus_i (odd[3], odd[3]);
  x[0] = even[0] + odd[0];
  x[4] = even[0] - odd[0];
  x[1] = plus_times (even[1], root_half, first);
  x[5] = plus_times (even[1], -root_half, first);
  x[2] = minus_i (even[2], odd[2]);
  x[6] = plus_i (even[2], odd[2]);
  x[3] = plus_times (even[3], -root_half, third);
  x[7] = plus_times (even[3], root_half, third);
}

// x e^(-2 pi i k / 16), for the k that transform_16 needs.
template <int K, class D> HWY_INLINE Values<D> turned_16 (Values<D> x)
{
  constexpr float c = 0.92387953251128674f, s = 0.38268343236508977f;
  const D d;
  if constexpr (K == 1)
    return times (x, Values<D>{hn::Set (d, c), hn::Set (d, -s)});
  else if constexpr (K == 2)
    return times (root_half, minus_i (x, x));
  else if constexpr (K == 3)
    return times (x, Values<D>{hn::Set (d, s), hn::Set (d, -c)});
  else if constexpr (K == 4)
    return {x.im, hn::Neg (x.re)};
  else if constexpr (K == 6)
    return times (-root_half, plus_i (x, x));
  else if constexpr (K == 9)
    return times (x, Values<D>{hn::Set (d, -c), hn::Set (d, s)});
  else
    return x;
}

// As 4 x 4.
template <int B, class D> HWY_INLINE void first_of_16 (const Values<D> *x, Values<D> *y)
{
  Values<D> u[4] = {x[B], x[4 + B], x[8 + B], x[12 + B]};
  transform_4 (u);
  y[B] = u[0];
  y[4 + B] = turned_16<B> (u[1]);
  y[8 + B] = turned_16<2 * B> (u[2]);
  y[12 + B] = turned_16<3 * B> (u[3]);
}

template <class D> HWY_INLINE void transform_16 (Values<D> *x)
{
  Values<D> y[16];
  first_of_16<0> (x, y);
  first_of_16<1> (x, y);
  first_of_16<2> (x, y);
  first_of_16<3> (x, y);
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) {
    transform_4 (y + 4 * k);
#pragma GCC unroll 4
    for (int q = 0; q < 4; q++)
      x[k + 4 * q] = y[4 * k + q];
  }
}

template <int N, class D> HWY_INLINE void transform_few (Values<D> *x)
{
  if constexpr (N == 2)
    transform_2 (x);
  else if constexpr (N == 4)
    transform_4 (x);
  else if constexpr (N == 8)
    transform_8 (x);
  else if constexpr (N == 16)
    transform_16 (x);
  else
    transform_odd<N> (x);
}

} // namespace sino::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
