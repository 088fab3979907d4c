// SPDX-License-Identifier: LGPL-3.0-or-later
// SVE vectors have no fixed size, so arrays of them are impossible; CPUs with SVE use NEON.
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif
#define HWY_WANT_AVX3_DL 1 // multiplies and adds pairs of 16 bits at once
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/back-project/native/cell.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/back-project/native/cell.hpp"
#include "kernels/back-project/native/single-inl.hpp"
#include "kernels/back-project/native/stack-inl.hpp"
#include "kernels/constants.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {

void add (const Batch &batch, const Holding &how, bool nearest, const CellPart &part, float *sums, int stride)
{
  const auto middle = static_cast<float> (middle_bin (how.fine));
  kernels::with_lanes (how.lanes, [&] (auto lanes) {
    if constexpr (lanes == 1)
      nearest ? add_single<true> (batch, middle, part, sums, stride)
              : add_single<false> (batch, middle, part, sums, stride);
    else if (how.sample == Sample::pairs)
      nearest ? add_stack<Pairs<lanes, true>> (batch, middle, part, sums, stride)
              : add_stack<Pairs<lanes, false>> (batch, middle, part, sums, stride);
    else
      nearest ? add_stack<Nearest<lanes>> (batch, middle, part, sums, stride)
              : add_stack<Linear<lanes>> (batch, middle, part, sums, stride);
  });
}

// In double: float positions, counted from the detector's first bin, would err by 1e-5.
void see_rays (const BatchRays &rays, int count, bool nearest, double x, double y, double cells, double from_first,
               int32_t *first, float *middle)
{
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<int32_t, decltype (d)> di;
  const hn::Rebind<float, decltype (d)> df;
  const auto far = hn::Set (d, 1e9), shift = hn::Set (d, nearest ? 0.5 : 0);
  // With linear interpolation, positions are half a bin less, see locate ().
  const auto to_middle = hn::Set (d, from_first + (nearest ? 0 : 0.5));
  for (size_t k = 0; k < static_cast<size_t> (count); k += hn::Lanes (d)) {
    const auto along = hn::MulAdd (hn::Set (d, x), hn::Load (d, rays.cos + k), hn::Load (d, rays.origin + k));
    const auto u = hn::NegMulAdd (hn::Set (d, y), hn::Load (d, rays.sin + k), along);
    const auto least = hn::NegMulAdd (hn::Set (d, cells), hn::Load (d, rays.reach + k), hn::Add (u, shift));
    const auto left = hn::Floor (hn::Max (hn::Neg (far), hn::Min (least, far)));
    hn::StoreU (hn::DemoteTo (di, left), di, first + k);
    hn::StoreU (hn::DemoteTo (df, hn::Sub (hn::Sub (u, left), to_middle)), df, middle + k);
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
HWY_EXPORT (lanes);
HWY_EXPORT (name);

void add_cell (const Batch &batch, const Holding &how, bool nearest, const CellPart &part, float *sums, int stride)
{
  HWY_DYNAMIC_DISPATCH (add) (batch, how, nearest, part, sums, stride);
}

void see (const BatchRays &rays, int count, bool nearest, double x, double y, double cells, double from_first,
          int32_t *first, float *middle)
{
  HWY_DYNAMIC_DISPATCH (see_rays) (rays, count, nearest, x, y, cells, from_first, first, middle);
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
