// SPDX-License-Identifier: LGPL-3.0-or-later
// SVE's vectors have no fixed size, so they cannot stand in arrays; NEON runs there.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#define HWY_WANT_AVX3_DL 1 // multiplies and adds pairs of 16 bits at once
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "back-project/native/cell.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "back-project/native/cell.hpp"
#include "back-project/native/single-inl.hpp"
#include "back-project/native/stack-inl.hpp"
#include "lanes-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {

void add (const Batch &batch, const Bins &bins, bool nearest, const CellPart &part, float *sums, int stride)
{
  const auto middle = static_cast<float> (middle_bin (bins.fine));
  kernels::HWY_NAMESPACE::with_lanes (bins.lanes, [&] (auto lanes) {
    if constexpr (lanes == 1)
      nearest ? add_single<true> (batch, middle, part, sums, stride)
              : add_single<false> (batch, middle, part, sums, stride);
    else if (bins.sample == Sample::pairs)
      nearest ? add_stack<Pairs<lanes, true>> (batch, middle, part, sums, stride)
              : add_stack<Pairs<lanes, false>> (batch, middle, part, sums, stride);
    else
      nearest ? add_stack<Nearest<lanes>> (batch, middle, part, sums, stride)
              : add_stack<Linear<lanes>> (batch, middle, part, sums, stride);
  });
}

// Namespaces of targets cannot export what they inline.
void see_rays (const RayTable &rays, size_t begin, int count, bool nearest, double x, double y, int32_t *first,
               float *middle)
{
  see (rays, begin, count, nearest, x, y, first, middle);
}

void widen (const void *half, float *out, size_t n)
{
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype (d)> dh;
  const auto *in = static_cast<const hwy::float16_t *> (half);
  const size_t step = hn::Lanes (d);
  size_t i = 0;
  for (; i + step <= n; i += step)
    hn::StoreU (hn::PromoteTo (d, hn::LoadU (dh, in + i)), d, out + i);
  if (i < n) {
    HWY_ALIGN hwy::float16_t last[hn::MaxLanes (d)] = {};
    HWY_ALIGN float wide[hn::MaxLanes (d)];
    std::copy (in + i, in + n, last);
    hn::Store (hn::PromoteTo (d, hn::Load (dh, last)), d, wide);
    std::copy_n (wide, n - i, out + i);
  }
}

int lanes ()
{
  return static_cast<int> (std::min<size_t> (2 * hn::MaxLanes (hn::ScalableTag<float> ()), 32));
}
const char *name ()
{
  return hwy::TargetName (HWY_TARGET);
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::back_project {

HWY_EXPORT (add);
HWY_EXPORT (see_rays);
HWY_EXPORT (widen);
HWY_EXPORT (lanes);
HWY_EXPORT (name);

void add_cell (const Batch &batch, const Bins &bins, bool nearest, const CellPart &part, float *sums, int stride)
{
  HWY_DYNAMIC_DISPATCH (add) (batch, bins, nearest, part, sums, stride);
}

void see_cell (const RayTable &rays, size_t begin, int count, bool nearest, double x, double y, int32_t *first,
               float *middle)
{
  HWY_DYNAMIC_DISPATCH (see_rays) (rays, begin, count, nearest, x, y, first, middle);
}

void half_to_float (const void *half, float *out, size_t n)
{
  HWY_DYNAMIC_DISPATCH (widen) (half, out, n);
}

int best_lanes ()
{
  return HWY_DYNAMIC_DISPATCH (lanes) ();
}
const char *instruction_set ()
{
  return HWY_DYNAMIC_DISPATCH (name) ();
}

} // namespace sino::back_project
#endif
