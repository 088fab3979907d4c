// SPDX-License-Identifier: LGPL-3.0-or-later
// Dot products of pairs of 16-bit integers a, b, each pair in 32 bits: sum + a.low * b.low + a.high * b.high.
#if defined(SINO_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_PAIRS_INL
#undef SINO_PAIRS_INL
#else
#define SINO_PAIRS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `d`: tag for int32_t.
template <class D> HWY_INLINE hn::Vec<D> add_pairs (D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> sum)
{
#if HWY_TARGET == HWY_AVX3_DL
  // Highway checks for this instruction, but does not enable it in the compiler.
  (void)d;
  auto raw = sum.raw;
  asm ("vpdpwssd %2, %1, %0" : "+v"(raw) : "v"(b.raw), "vm"(a.raw));
  return hn::Vec<D>{raw};
#elif HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  const hn::Repartition<int16_t, D> d16;
  auto unused = hn::Zero (d);
  return hn::ReorderWidenMulAccumulate (d, hn::BitCast (d16, a), hn::BitCast (d16, b), sum, unused);
#else
  (void)d;
  const auto low = [] (hn::Vec<D> v) { return hn::ShiftRight<16> (hn::ShiftLeft<16> (v)); };
  const auto product = hn::Mul (low (a), low (b));
  return hn::Add (sum, hn::Add (product, hn::Mul (hn::ShiftRight<16> (a), hn::ShiftRight<16> (b))));
#endif
}

} // namespace sino::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
