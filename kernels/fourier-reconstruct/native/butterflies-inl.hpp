// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms of a few values in registers, x[k] = sum over j of x[j] e^(2 pi i j k / N), unnormalised.
#if defined(SINO_FOURIER_BUTTERFLIES) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_FOURIER_BUTTERFLIES
#undef SINO_FOURIER_BUTTERFLIES
#else
#define SINO_FOURIER_BUTTERFLIES
#endif

#include "kernels/fourier-reconstruct/native/complex-inl.hpp"
#include "kernels/fourier-reconstruct/native/roots.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {

template <int N> HWY_INLINE void transform (Value *x);

// N = A B
template <int A, int B> HWY_INLINE void transform_product (Value *x)
{
  Value y[A * B];
#pragma GCC unroll 16
  for (int b = 0; b < B; b++) {
    Value u[A];
#pragma GCC unroll 16
    for (int a = 0; a < A; a++)
      u[a] = x[B * a + b];
    transform<A> (u);
    y[b] = u[0];
#pragma GCC unroll 16
    for (int k = 1; k < A; k++)
      y[k * B + b] = b ? turned (u[k], roots<A * B>.of[b * k]) : u[k];
  }
#pragma GCC unroll 16
  for (int k = 0; k < A; k++) {
    transform<B> (y + k * B);
#pragma GCC unroll 16
    for (int q = 0; q < B; q++)
      x[k + A * q] = y[k * B + q];
  }
}

HWY_INLINE void transform_2 (Value *x)
{
  const auto a = hn::Add (x[0], x[1]), b = hn::Sub (x[0], x[1]);
  x[0] = a;
  x[1] = b;
}

HWY_INLINE void transform_3 (Value *x)
{
  const auto sum = hn::Add (x[1], x[2]);
  const auto side = hn::Mul (hn::Sub (x[1], x[2]), real (0.86602540378443865f));
  const auto middle = hn::NegMulAdd (sum, real (0.5f), x[0]);
  x[0] = hn::Add (x[0], sum);
  x[1] = add_i (middle, side);
  x[2] = sub_i (middle, side);
}

HWY_INLINE void transform_4 (Value *x)
{
  const auto t0 = hn::Add (x[0], x[2]), t1 = hn::Sub (x[0], x[2]);
  const auto t2 = hn::Add (x[1], x[3]), t3 = hn::Sub (x[1], x[3]);
  x[0] = hn::Add (t0, t2);
  x[1] = add_i (t1, t3);
  x[2] = hn::Sub (t0, t2);
  x[3] = sub_i (t1, t3);
}

HWY_INLINE void transform_5 (Value *x)
{
  const auto c1 = real (0.30901699437494742f), c2 = real (-0.80901699437494742f);
  const auto s1 = real (0.95105651629515357f), s2 = real (0.58778525229247313f);
  const auto a = hn::Add (x[1], x[4]), b = hn::Sub (x[1], x[4]);
  const auto c = hn::Add (x[2], x[3]), d = hn::Sub (x[2], x[3]);
  const auto m1 = hn::MulAdd (c, c2, hn::MulAdd (a, c1, x[0]));
  const auto m2 = hn::MulAdd (c, c1, hn::MulAdd (a, c2, x[0]));
  const auto n1 = hn::MulAdd (d, s2, hn::Mul (b, s1));
  const auto n2 = hn::MulSub (b, s2, hn::Mul (d, s1));
  x[0] = hn::Add (x[0], hn::Add (a, c));
  x[1] = add_i (m1, n1);
  x[2] = add_i (m2, n2);
  x[3] = sub_i (m2, n2);
  x[4] = sub_i (m1, n1);
}

HWY_INLINE void transform_8 (Value *x)
{
  Value even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  transform_4 (even);
  transform_4 (odd);
  const auto half = real (0.70710678118654752f);
  const auto o1 = add_i (odd[1], odd[1]), o3 = sub_i (odd[3], odd[3]);
  x[0] = hn::Add (even[0], odd[0]);
  x[4] = hn::Sub (even[0], odd[0]);
  x[1] = hn::MulAdd (o1, half, even[1]);
  x[5] = hn::NegMulAdd (o1, half, even[1]);
  x[2] = add_i (even[2], odd[2]);
  x[6] = sub_i (even[2], odd[2]);
  x[3] = hn::NegMulAdd (o3, half, even[3]);
  x[7] = hn::MulAdd (o3, half, even[3]);
}

template <int N> HWY_INLINE void transform (Value *x)
{
  if constexpr (N == 2)
    transform_2 (x);
  else if constexpr (N == 3)
    transform_3 (x);
  else if constexpr (N == 4)
    transform_4 (x);
  else if constexpr (N == 5)
    transform_5 (x);
  else if constexpr (N == 6)
    transform_product<2, 3> (x);
  else if constexpr (N == 8)
    transform_8 (x);
  else if constexpr (N == 10)
    transform_product<2, 5> (x);
  else if constexpr (N == 12)
    transform_product<4, 3> (x);
  else if constexpr (N == 16)
    transform_product<4, 4> (x);
  else
    static_assert (N == 1, "no such radix");
}

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif

#endif
