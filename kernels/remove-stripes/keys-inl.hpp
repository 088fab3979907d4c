// SPDX-License-Identifier: LGPL-3.0-or-later
// value_of and key_of for vectors. Included once per target, inside its translation unit.
#if defined(SINO_REMOVE_STRIPES_KEYS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_REMOVE_STRIPES_KEYS_INL
#undef SINO_REMOVE_STRIPES_KEYS_INL
#else
#define SINO_REMOVE_STRIPES_KEYS_INL
#endif

#include <cstdint>
#include <hwy/highway.h>
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `d`: of int32_t.
template <class D> HWY_INLINE hn::Vec<D> turned (D d, hn::Vec<D> bits)
{
  return hn::Xor (bits, hn::And (hn::ShiftRight<31> (bits), hn::Set (d, std::numeric_limits<int32_t>::max ())));
}

template <class D> HWY_INLINE auto values_of (D d, hn::Vec<D> keys)
{
  return hn::BitCast (hn::Rebind<float, D> (), turned (d, keys));
}

template <class D> HWY_INLINE hn::Vec<D> keys_of (D d, hn::Vec<hn::Rebind<float, D>> values)
{
  return turned (d, hn::BitCast (d, values));
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
