// SPDX-License-Identifier: LGPL-3.0-or-later
// Loads values of any element type as floats, exactly. Included once per target, inside its namespace's translation
// unit.
#ifndef SINO_LOAD_HALF // once, not per target
#define SINO_LOAD_HALF
#include <cstdint>
namespace sino::kernels {
struct Half { // an f16 value
  uint16_t bits;
};
} // namespace sino::kernels
#endif

#if defined(SINO_LOAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_LOAD_INL
#undef SINO_LOAD_INL
#else
#define SINO_LOAD_INL
#endif

#include "kernels/half-pack/half-inl.hpp"
#include "stream/element.hpp"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D> HWY_INLINE hn::Vec<D> load (D d, const float *from)
{
  return hn::LoadU (d, from);
}
template <class D, class T> HWY_INLINE hn::Vec<D> load (D d, const T *from)
{
  const hn::RebindToSigned<D> di;
  return hn::ConvertTo (d, hn::PromoteTo (di, hn::LoadU (hn::Rebind<T, D> (), from)));
}
template <class D> HWY_INLINE hn::Vec<D> load (D d, const Half *from)
{
  const auto bits = hn::LoadU (hn::Rebind<uint16_t, D> (), reinterpret_cast<const uint16_t *> (from));
  return half_pack::HWY_NAMESPACE::from_half_bits (d, hn::PromoteTo (hn::RebindToUnsigned<D> (), bits));
}

// Calls f with the values as a pointer to their type.
template <class F> HWY_INLINE auto of_type (Element element, const void *values, F f)
{
  switch (element) {
  case Element::u8:
    return f (static_cast<const uint8_t *> (values));
  case Element::u16:
    return f (static_cast<const uint16_t *> (values));
  case Element::f16:
    return f (static_cast<const Half *> (values));
  default:
    return f (static_cast<const float *> (values));
  }
}

} // namespace sino::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
