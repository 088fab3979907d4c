// SPDX-License-Identifier: LGPL-3.0-or-later
// Vectors of values of a projection. Included once per target.
#if defined(SINO_LIVE_PICK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_LIVE_PICK_INL
#undef SINO_LIVE_PICK_INL
#else
#define SINO_LIVE_PICK_INL
#endif

#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::live::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Integers = hn::RebindToSigned<Floats>;
using Vector = hn::Vec<Floats>;
using Places = hn::Vec<Integers>;

HWY_INLINE Vector load (const float *from)
{
  return hn::LoadU (Floats (), from);
}
HWY_INLINE Vector load (const hwy::float16_t *from)
{
  return hn::PromoteTo (Floats (), hn::LoadU (hn::Rebind<hwy::float16_t, Floats> (), from));
}

// Picks from two vectors that follow each other in memory.
HWY_INLINE Vector pick (Vector lower, Vector upper, Places place)
{
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return Vector{_mm512_permutex2var_ps (lower.raw, place.raw, upper.raw)};
#else
  const Floats d;
  const Integers di;
  const auto lanes = static_cast<int32_t> (hn::Lanes (d));
  const auto at = hn::IndicesFromVec (d, hn::And (place, hn::Set (di, lanes - 1)));
  const auto in_lower = hn::RebindMask (d, hn::Lt (place, hn::Set (di, lanes)));
  return hn::IfThenElse (in_lower, hn::TableLookupLanes (lower, at), hn::TableLookupLanes (upper, at));
#endif
}

} // namespace sino::live::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
