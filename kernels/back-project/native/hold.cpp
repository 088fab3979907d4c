// SPDX-License-Identifier: LGPL-3.0-or-later
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/back-project/native/hold.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/back-project/native/hold.hpp"
#include "kernels/constants.hpp"
#include "kernels/half-pack/half-inl.hpp"
#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Some lanes of a bin; 0 outside the detector.
template <bool Half, class D> HWY_INLINE hn::Vec<D> load (D d, const RawRay &ray, size_t lane, int64_t bin)
{
  if (bin < 0 || bin >= ray.size)
    return hn::Zero (d);
  const auto at = static_cast<size_t> (bin) * static_cast<size_t> (ray.stride) + lane;
  if constexpr (Half)
    return hn::PromoteTo (
        d, hn::LoadU (hn::Rebind<hwy::float16_t, D> (), static_cast<const hwy::float16_t *> (ray.bins) + at));
  else
    return hn::LoadU (d, static_cast<const float *> (ray.bins) + at);
}

template <int Lanes, bool Half> void measure_lanes (const RawRay &ray, float *largest, float *change)
{
  const hn::CappedTag<float, Lanes> d;
  for (size_t lane = 0; lane < Lanes; lane += hn::MaxLanes (d)) {
    auto most = hn::Zero (d), sum = hn::Zero (d), last = hn::Zero (d);
    for (int64_t bin = 0; bin <= ray.size; bin++) {
      const auto v = load<Half> (d, ray, lane, bin);
      const auto difference = hn::Sub (v, last);
      most = hn::Max (most, hn::IfThenElseZero (hn::IsFinite (v), hn::Abs (v)));
      sum = hn::MulAdd (difference, difference, sum);
      last = v;
    }
    hn::StoreU (most, d, largest + lane);
    hn::StoreU (sum, d, change + lane);
  }
}

struct AsFloats {
  template <class D> static HWY_INLINE void put (D d, hn::Vec<D> v, hn::Vec<D>, size_t lane, size_t, std::byte *out)
  {
    hn::StoreU (v, d, reinterpret_cast<float *> (out) + lane);
  }
};

// Nearest halves, ties to even. Uses hardware conversions if available: integer arithmetic takes as long as the
// innermost loop.
#if HWY_TARGET <= HWY_AVX2 && HWY_TARGET >= HWY_AVX3_DL && !defined(HWY_DISABLE_F16C)
template <class D> HWY_INLINE void store_halves (D d, hn::Vec<D> v, uint16_t *out)
{
  const hn::Rebind<hwy::float16_t, D> dh;
  hn::StoreU (hn::DemoteTo (dh, v), dh, reinterpret_cast<hwy::float16_t *> (out));
}
template <class D> HWY_INLINE hn::Vec<D> halved (D d, hn::Vec<D> v)
{
  return hn::PromoteTo (d, hn::DemoteTo (hn::Rebind<hwy::float16_t, D> (), v));
}
#else
template <class D> HWY_INLINE void store_halves (D d, hn::Vec<D> v, uint16_t *out)
{
  const hn::RebindToSigned<D> di;
  const hn::Rebind<uint16_t, D> du16;
  hn::StoreU (hn::DemoteTo (du16, hn::BitCast (di, half_pack::HWY_NAMESPACE::to_half_bits (d, v))), du16, out);
}
template <class D> HWY_INLINE hn::Vec<D> halved (D d, hn::Vec<D> v)
{
  return half_pack::HWY_NAMESPACE::from_half_bits (d, half_pack::HWY_NAMESPACE::to_half_bits (d, v));
}
#endif

struct AsHalvedFloats {
  template <class D> static HWY_INLINE void put (D d, hn::Vec<D> v, hn::Vec<D>, size_t lane, size_t, std::byte *out)
  {
    hn::StoreU (halved (d, v), d, reinterpret_cast<float *> (out) + lane);
  }
};

struct AsPairs {
  template <class D> static HWY_INLINE void put (D, hn::Vec<D> v, hn::Vec<D> next, size_t lane, size_t, std::byte *out)
  {
    const hn::RebindToSigned<D> di;
    const auto low = hn::And (hn::NearestInt (v), hn::Set (di, 0xffff));
    hn::StoreU (hn::Or (low, hn::ShiftLeft<16> (hn::NearestInt (next))), di, reinterpret_cast<int32_t *> (out) + lane);
  }
};

struct AsDifferences {
  template <class D>
  static HWY_INLINE void put (D d, hn::Vec<D> v, hn::Vec<D> next, size_t lane, size_t lanes, std::byte *out)
  {
    auto *values = reinterpret_cast<uint16_t *> (out) + lane;
    store_halves (d, v, values);
    store_halves (d, hn::Sub (next, v), values + lanes);
  }
};

template <class As, int Lanes, bool Half>
void hold_lanes (const RawRay &ray, int fine, const Change &change, int64_t first, int64_t n, std::byte *out)
{
  const hn::CappedTag<float, Lanes> d;
  const auto offset = hn::Set (d, change.offset);
  constexpr size_t bin_bytes = 4 * Lanes;
  // Division that rounds down: `first` is below -size only if nothing is seen.
  const auto first_bin = (first + fine * ray.size) / fine - ray.size;
  for (size_t lane = 0; lane < Lanes; lane += hn::MaxLanes (d)) {
    const auto factor = change.factor ? hn::LoadU (d, change.factor + lane) : hn::Set (d, 1.0f);
    auto bin = first_bin;
    auto k = first - bin * fine;
    auto here = hn::MulAdd (load<Half> (d, ray, lane, bin), factor, offset);
    auto next = hn::MulAdd (load<Half> (d, ray, lane, bin + 1), factor, offset);
    for (int64_t i = 0; i < n; i++) {
      auto v = here;
      if (k > 0)
        v = hn::MulAdd (hn::Set (d, static_cast<float> (k) / static_cast<float> (fine)), hn::Sub (next, here), here);
      As::put (d, v, next, lane, Lanes, out + static_cast<size_t> (i) * bin_bytes);
      if (++k == fine) {
        k = 0;
        here = next;
        next = hn::MulAdd (load<Half> (d, ray, lane, ++bin + 1), factor, offset);
      }
    }
  }
}

template <int Lanes> void scale_all (float *values, int64_t pixels, const float *scale)
{
  const hn::CappedTag<float, Lanes> d;
  for (size_t lane = 0; lane < Lanes; lane += hn::MaxLanes (d)) {
    const auto by = hn::LoadU (d, scale + lane);
    float *v = values + lane;
    for (int64_t pixel = 0; pixel < pixels; pixel++, v += Lanes)
      hn::StoreU (hn::Mul (hn::LoadU (d, v), by), d, v);
  }
}

void measure (const RawRay &ray, float *largest, float *change)
{
  kernels::with_lanes (ray.lanes, [&] (auto lanes) {
    ray.half ? measure_lanes<lanes, true> (ray, largest, change) : measure_lanes<lanes, false> (ray, largest, change);
  });
}

void hold (const RawRay &ray, const Holding &how, const Change &change, int64_t first, int64_t n, std::byte *out)
{
  kernels::with_lanes (ray.lanes, [&] (auto lanes) {
    const auto as = [&]<class As> (As) {
      ray.half ? hold_lanes<As, lanes, true> (ray, how.fine, change, first, n, out)
               : hold_lanes<As, lanes, false> (ray, how.fine, change, first, n, out);
    };
    switch (how.sample) {
    case Sample::floats:
      return how.halved ? as (AsHalvedFloats ()) : as (AsFloats ());
    case Sample::pairs:
      return as (AsPairs ());
    case Sample::differences:
      return as (AsDifferences ());
    }
  });
}

void scale_values (float *values, int64_t pixels, int lanes, const float *scale)
{
  kernels::with_lanes (lanes, [&] (auto n) { scale_all<n> (values, pixels, scale); });
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::back_project {

HWY_EXPORT (measure);
HWY_EXPORT (hold);
HWY_EXPORT (scale_values);

void measure_ray (const RawRay &ray, float *largest, float *change)
{
  HWY_DYNAMIC_DISPATCH (measure) (ray, largest, change);
}

void hold_bins (const RawRay &ray, const Holding &how, const Change &change, int64_t first, int64_t n, std::byte *out)
{
  const auto bytes = how.bin_bytes ();
  const bool dense = ray.stride == ray.lanes;
  if (dense && how.sample == Sample::floats && !ray.half && !change.factor && !how.halved &&
      how.fine == 1) { // a plain copy
    const auto begin = std::clamp<int64_t> (0, first, first + n);
    const auto end = std::clamp (ray.size, begin, first + n);
    std::memset (out, 0, static_cast<size_t> (begin - first) * bytes);
    std::memcpy (out + static_cast<size_t> (begin - first) * bytes,
                 static_cast<const std::byte *> (ray.bins) + static_cast<size_t> (std::max<int64_t> (begin, 0)) * bytes,
                 static_cast<size_t> (end - begin) * bytes);
    std::memset (out + static_cast<size_t> (end - first) * bytes, 0, static_cast<size_t> (first + n - end) * bytes);
    return;
  }
  HWY_DYNAMIC_DISPATCH (hold) (ray, how, change, first, n, out);
}
void scale_lanes (float *values, int64_t pixels, int lanes, const float *scale)
{
  HWY_DYNAMIC_DISPATCH (scale_values) (values, pixels, lanes, scale);
}

} // namespace sino::back_project
#endif
