// SPDX-License-Identifier: LGPL-3.0-or-later
// Terms of a batch of rays, stored as float or as half. A term is a vector of complex values, each with two slices.
#if defined(SINO_FOURIER_TERMS) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_FOURIER_TERMS
#undef SINO_FOURIER_TERMS
#else
#define SINO_FOURIER_TERMS
#endif

#include "kernels/fourier-reconstruct/native/complex-inl.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {

using Half = hwy::float16_t;
using HalfTag = hn::Rebind<Half, Tag>;

HWY_INLINE Value term_at (const float *term)
{
  return load (term);
}
HWY_INLINE Value term_at (const Half *term)
{
  return hn::PromoteTo (Tag (), hn::Load (HalfTag (), term));
}
HWY_INLINE void keep_term (Value value, float *term)
{
  hn::Store (value, Tag (), term);
}
HWY_INLINE void keep_term (Value value, Half *term)
{
  hn::Store (hn::DemoteTo (HalfTag (), value), HalfTag (), term);
}

// Layout of Floats::terms: for each ray a vector of factors for its stored terms, then the terms.
template <class Number> struct Terms {
  static constexpr bool halves = !std::is_same_v<Number, float>;
  float *memory;
  int64_t stride;

  HWY_INLINE float *inverse (int64_t ray) const { return memory + ray * lanes; }
  HWY_INLINE Number *of (int64_t ray) const
  {
    return reinterpret_cast<Number *> (memory + batch_rays * lanes) + ray * stride * lanes;
  }
};

// Calls use (Terms) with the stored type of the stack.
template <class Use> HWY_INLINE void with_terms (const StackPlan &stack, float *memory, Use use)
{
  if (stack.job.halves)
    use (Terms<Half>{memory, stack.term_stride});
  else
    use (Terms<float>{memory, stack.term_stride});
}

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif

#endif
