// SPDX-License-Identifier: LGPL-3.0-or-later
// The transform alone. A library of its own, linked by tests only, because it takes as long to compile as the other
// ones.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fourier-reconstruct/native/transform.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/fft-inl.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: stack_lanes () is 0
void transform_alone (const LaneFft &, const float *, float *, float *) {}
#else

void transform_alone (const LaneFft &fft, const float *in, float *out, float *scratch)
{
  transform (
      fft, scratch, [&] (int j) { return load (in + static_cast<int64_t> (j) * lanes); },
      [&] (int k, Value v) { hn::Store (v, Tag (), out + static_cast<int64_t> (k) * lanes); });
}

#endif

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::fourier_reconstruct {

HWY_EXPORT (transform_alone);

void transform (const LaneFft &fft, const float *in, float *out, float *scratch)
{
  HWY_DYNAMIC_DISPATCH (transform_alone) (fft, in, out, scratch);
}

} // namespace sino::fourier_reconstruct
#endif
