// SPDX-License-Identifier: LGPL-3.0-or-later
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "back-project/native/hold.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "back-project/native/hold.hpp"
#include "half-pack/half-inl.hpp"
#include "lanes-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One value of each lane.
template <int Lanes> struct Lane {
  static constexpr hn::CappedTag<float, Lanes> d{};
  static constexpr int step = static_cast<int> (hn::MaxLanes (d)), parts = Lanes / step;
  using V = hn::Vec<hn::CappedTag<float, Lanes>>;
  V part[parts];

  static HWY_INLINE Lane all (float v)
  {
    Lane out;
    for (auto &p : out.part)
      p = hn::Set (d, v);
    return out;
  }
  static HWY_INLINE Lane load (const float *in)
  {
    Lane out;
    for (int i = 0; i < parts; i++)
      out.part[i] = hn::LoadU (d, in + i * step);
    return out;
  }
  HWY_INLINE void store (float *out) const
  {
    for (int i = 0; i < parts; i++)
      hn::StoreU (part[i], d, out + i * step);
  }
  // 0 outside the detector.
  static HWY_INLINE Lane load (const RawRay &ray, int64_t bin)
  {
    if (bin < 0 || bin >= ray.size)
      return all (0);
    const auto at = static_cast<size_t> (bin) * Lanes;
    if (!ray.half)
      return load (static_cast<const float *> (ray.bins) + at);
    const hn::Rebind<hwy::float16_t, decltype (d)> dh;
    Lane out;
    for (int i = 0; i < parts; i++)
      out.part[i] = hn::PromoteTo (d, hn::LoadU (dh, static_cast<const hwy::float16_t *> (ray.bins) + at + i * step));
    return out;
  }
};

template <int Lanes> void measure_lanes (const RawRay &ray, float *largest, float *change)
{
  using L = Lane<Lanes>;
  auto most = L::all (0), sum = L::all (0), last = L::all (0);
  for (int64_t bin = 0; bin <= ray.size; bin++) {
    const auto v = L::load (ray, bin);
    for (int i = 0; i < L::parts; i++) {
      const auto difference = hn::Sub (v.part[i], last.part[i]);
      most.part[i] = hn::Max (most.part[i], hn::Abs (v.part[i]));
      sum.part[i] = hn::MulAdd (difference, difference, sum.part[i]);
    }
    last = v;
  }
  most.store (largest);
  sum.store (change);
}

template <class D> HWY_INLINE void put_half (D d, hn::Vec<D> v, void *out)
{
  const hn::Rebind<uint16_t, D> du16;
  const hn::RebindToSigned<D> di;
  hn::StoreU (hn::DemoteTo (du16, hn::BitCast (di, kernels::HWY_NAMESPACE::to_half_bits (d, v))), du16,
              static_cast<uint16_t *> (out));
}

template <int Lanes> HWY_INLINE void put (const Lane<Lanes> &v, const Lane<Lanes> &next, Sample sample, std::byte *out)
{
  using L = Lane<Lanes>;
  const hn::Rebind<int32_t, decltype (L::d)> di;
  for (int i = 0; i < L::parts; i++)
    switch (sample) {
    case Sample::floats:
      hn::StoreU (v.part[i], L::d, reinterpret_cast<float *> (out) + i * L::step);
      break;
    case Sample::halves:
      put_half (L::d, v.part[i], reinterpret_cast<uint16_t *> (out) + i * L::step);
      break;
    case Sample::pairs: {
      const auto low = hn::And (hn::NearestInt (v.part[i]), hn::Set (di, 0xffff));
      const auto high = hn::ShiftLeft<16> (hn::NearestInt (next.part[i]));
      hn::StoreU (hn::Or (low, high), di, reinterpret_cast<int32_t *> (out) + i * L::step);
      break;
    }
    case Sample::differences: {
      auto *values = reinterpret_cast<uint16_t *> (out) + i * L::step;
      put_half (L::d, v.part[i], values);
      put_half (L::d, hn::Sub (next.part[i], v.part[i]), values + Lanes);
      break;
    }
    }
}

template <int Lanes> void hold_lanes (const RawRay &ray, const float *factor, const Bins &bins, std::byte *out)
{
  using L = Lane<Lanes>;
  const auto factors = L::load (factor);
  const auto load = [&] (int64_t bin) {
    auto v = L::load (ray, bin);
    for (int i = 0; i < L::parts; i++)
      v.part[i] = hn::Mul (v.part[i], factors.part[i]);
    return v;
  };
  auto here = load (-1), right = load (0);
  for (int64_t bin = -1; bin < ray.size; bin++, here = right, right = load (bin + 1))
    for (int k = 0; k < bins.fine; k++) {
      const auto place = bin * bins.fine + k - bins.first;
      if (place < 0)
        continue;
      auto v = here, next = right;
      if (bins.fine > 1)
        for (int i = 0; i < L::parts; i++) {
          const auto w = hn::Set (L::d, static_cast<float> (k) / static_cast<float> (bins.fine));
          v.part[i] = hn::MulAdd (w, hn::Sub (right.part[i], here.part[i]), here.part[i]);
        }
      put<Lanes> (v, next, bins.sample, out + static_cast<size_t> (place) * bins.bytes ());
    }
}

template <int Lanes> void scale_all (float *values, int64_t pixels, const float *scale)
{
  using L = Lane<Lanes>;
  const auto by = L::load (scale);
  for (int64_t pixel = 0; pixel < pixels; pixel++, values += Lanes)
    for (int i = 0; i < L::parts; i++)
      hn::StoreU (hn::Mul (hn::LoadU (L::d, values + i * L::step), by.part[i]), L::d, values + i * L::step);
}

void measure (const RawRay &ray, float *largest, float *change)
{
  kernels::HWY_NAMESPACE::with_lanes (ray.lanes, [&] (auto n) { measure_lanes<n> (ray, largest, change); });
}
void hold (const RawRay &ray, const float *factor, const Bins &bins, std::byte *out)
{
  kernels::HWY_NAMESPACE::with_lanes (ray.lanes, [&] (auto n) { hold_lanes<n> (ray, factor, bins, out); });
}
void scale_values (float *values, int64_t pixels, int lanes, const float *scale)
{
  kernels::HWY_NAMESPACE::with_lanes (lanes, [&] (auto n) { scale_all<n> (values, pixels, scale); });
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
void hold_ray (const RawRay &ray, const float *factor, const Bins &bins, std::byte *out)
{
  HWY_DYNAMIC_DISPATCH (hold) (ray, factor, bins, out);
}
void scale_lanes (float *values, int64_t pixels, int lanes, const float *scale)
{
  HWY_DYNAMIC_DISPATCH (scale_values) (values, pixels, lanes, scale);
}

} // namespace sino::back_project
#endif
