// SPDX-License-Identifier: LGPL-3.0-or-later
// SVE's vectors have no fixed size, so they cannot stand in arrays; NEON runs there.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "back-project/cell.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "back-project/cell.hpp"
#include "back-project/single-inl.hpp"
#include "back-project/stack-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {

template <bool Nearest>
void add_lanes (const Window *windows, int count, int lanes, const CellPart &part, float *sums, int stride)
{
  switch (lanes) {
  case 1:
    return add_single<Nearest> (windows, count, part, sums, stride);
  case 2:
    return add_stack<2, Nearest> (windows, count, part, sums, stride);
  case 4:
    return add_stack<4, Nearest> (windows, count, part, sums, stride);
  case 8:
    return add_stack<8, Nearest> (windows, count, part, sums, stride);
  case 16:
    return add_stack<16, Nearest> (windows, count, part, sums, stride);
  default:
    return add_stack<32, Nearest> (windows, count, part, sums, stride);
  }
}

void add (const Window *windows, int count, int lanes, bool nearest, const CellPart &part, float *sums, int stride)
{
  if (nearest)
    add_lanes<true> (windows, count, lanes, part, sums, stride);
  else
    add_lanes<false> (windows, count, lanes, part, sums, stride);
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
  return static_cast<int> (std::min<size_t> (hn::MaxLanes (hn::ScalableTag<float> ()), 16));
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
HWY_EXPORT (widen);
HWY_EXPORT (lanes);
HWY_EXPORT (name);

void add_cell (const Window *windows, int count, int lanes, bool nearest, const CellPart &part, float *sums, int stride)
{
  HWY_DYNAMIC_DISPATCH (add) (windows, count, lanes, nearest, part, sums, stride);
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
