// SPDX-License-Identifier: LGPL-3.0-or-later
// IEEE half <-> float in integer arithmetic, so that every instruction set gives the same bits. (The method of
// F. Giesen, "half to float done quick".) Included once per target, inside its namespace's translation unit.
#if defined(SINO_HALF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_HALF_INL
#undef SINO_HALF_INL
#else
#define SINO_HALF_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::half_pack::HWY_NAMESPACE {

// Calls step (from, to) for each vector of n values and its halves. Values beyond the end are 0.
template <class D, class Step>
HWY_INLINE void each_vector (D d, const float *values, int64_t n, uint16_t *halves, Step step)
{
  namespace hn = hwy::HWY_NAMESPACE;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    step (values + i, halves + i);
  if (i < n) {
    HWY_ALIGN float from[hn::MaxLanes (d)] = {};
    HWY_ALIGN uint16_t to[hn::MaxLanes (d)];
    std::copy (values + i, values + n, from);
    step (from, to);
    std::copy (to, to + (n - i), halves + i);
  }
}

// Returns the bits of the nearest halves, ties to even. Values of at least 65520 become infinite; NaN becomes the quiet
// NaN with its sign.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::RebindToUnsigned<D>>>
HWY_INLINE V to_half_bits (D d, hwy::HWY_NAMESPACE::Vec<D> values)
{
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast (du, values);
  const auto magnitude = hn::And (bits, hn::Set (du, 0x7fffffffu));
  const auto sign = hn::Xor (bits, magnitude);

  // Normal halves: change the exponent's bias, and round by adding half of the last digit, minus one unit if that is
  // even.
  const auto odd = hn::And (hn::ShiftRight<13> (magnitude), hn::Set (du, 1u));
  const auto rounded = hn::Add (hn::Add (magnitude, hn::Set (du, 0xc8000fffu)), odd);
  const auto normal = hn::ShiftRight<13> (rounded);
  // Subnormal halves: adding 0.5 moves the remaining digits to the end of the mantissa, rounded by the hardware.
  const auto half = hn::Set (d, 0.5f);
  const auto tiny = hn::Sub (hn::BitCast (du, hn::Add (hn::BitCast (d, magnitude), half)), hn::BitCast (du, half));

  auto result = hn::IfThenElse (hn::Lt (magnitude, hn::Set (du, 0x38800000u)), tiny, normal);             // 2^-14
  result = hn::IfThenElse (hn::Gt (magnitude, hn::Set (du, 0x477fffffu)), hn::Set (du, 0x7c00u), result); // 2^16
  result = hn::IfThenElse (hn::Gt (magnitude, hn::Set (du, 0x7f800000u)), hn::Set (du, 0x7e00u), result); // NaN
  return hn::Or (result, hn::ShiftRight<16> (sign));
}

// Converts halves, in 32 bits each, to float: always exact.
template <class D, class VU> HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> from_half_bits (D d, VU half)
{
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToUnsigned<D> du;
  const auto magnitude = hn::ShiftLeft<13> (hn::And (half, hn::Set (du, 0x7fffu)));
  const auto sign = hn::ShiftLeft<16> (hn::And (half, hn::Set (du, 0x8000u)));
  const auto exponent = hn::And (magnitude, hn::Set (du, 0x0f800000u));
  const auto normal = hn::Add (magnitude, hn::Set (du, 112u << 23));
  const auto infinite = hn::Add (magnitude, hn::Set (du, 224u << 23));
  const auto smallest = hn::Set (d, 0x1p-14f);
  const auto tiny =
      hn::BitCast (du, hn::Sub (hn::BitCast (d, hn::Add (magnitude, hn::Set (du, 113u << 23))), smallest));
  auto result = hn::IfThenElse (hn::Eq (exponent, hn::Set (du, 0x0f800000u)), infinite, normal);
  result = hn::IfThenElse (hn::Eq (exponent, hn::Zero (du)), tiny, result);
  return hn::BitCast (d, hn::Or (result, sign));
}

} // namespace sino::half_pack::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
