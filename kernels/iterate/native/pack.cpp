// SPDX-License-Identifier: LGPL-3.0-or-later
// Between dense slices and lanes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/native/pack.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/interleave/interleave.hpp"
#include "kernels/iterate/native/lines-inl.hpp"
#include <algorithm>
#include <cmath>

#if (HWY_TARGET & SINO_SETS) && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {

// Calls f with a pointer for each lane: into its slice, or to `other`.
template <class T, class F>
HWY_INLINE void with_rows (const Window &window, std::span<T *const> slices, int64_t row, T *other, F f)
{
  T *rows[lanes];
  for (size_t lane = 0; lane < lanes; lane++) {
    T *const slice = lane < slices.size () ? slices[lane] : nullptr;
    rows[lane] = slice ? slice + (row - window.y) * window.width : other;
  }
  f (rows);
}

uint32_t pack (const Plan &plan, float *image, const Window &window, std::span<const float *const> slices, int64_t row,
               float *work)
{
  float *const to = row_of (plan, image, row), *const inside = to + window.x * lanes;
  if (row < window.y || row >= window.y + window.height) {
    clear (to, plan.n);
    return 0;
  }
  std::fill_n (work, window.width, 0.0F);
  with_rows<const float> (window, slices, row, work, [&] (const float *const *rows) {
    interleave::interleave (sizeof (float), lanes, reinterpret_cast<const std::byte *const *> (rows), window.width,
                            reinterpret_cast<std::byte *> (inside));
  });
  clear (to, window.x);
  clear (inside + window.width * lanes, plan.n - window.x - window.width);
  auto broken = hn::Zero (Tag ()); // NaN where any value is not finite
  for (int64_t i = 0; i < window.width * lanes; i += lanes) {
    const auto value = load (inside + i), none = hn::Sub (value, value);
    broken = hn::Add (broken, none);
    store (hn::IfThenElseZero (hn::Eq (none, none), value), inside + i);
  }
  HWY_ALIGN float sums[lanes];
  store (broken, sums);
  uint32_t bits = 0;
  for (int lane = 0; lane < lanes; lane++)
    bits |= (sums[lane] == 0 ? 0U : 1U) << lane;
  return bits;
}

void unpack (const Plan &plan, const float *image, const Window &window, std::span<float *const> slices,
             uint32_t non_negative, int64_t row, float *work)
{
  if (row < window.y || row >= window.y + window.height)
    return;
  const float *const from = image + (row * plan.n + window.x) * lanes;
  float *const kept = work, *const unwanted = kept + window.width * lanes;
  HWY_ALIGN float least[lanes];
  for (int lane = 0; lane < lanes; lane++)
    least[lane] = non_negative >> lane & 1 ? 0 : -HUGE_VALF;
  const auto lowest = load (least);
  for (int64_t i = 0; i < window.width * lanes; i += lanes) {
    const auto value = load (from + i);
    store (hn::IfThenElse (hn::Le (value, lowest), lowest, value), kept + i); // NaN stays
  }
  with_rows<float> (window, slices, row, unwanted,
                    [&] (float *const *rows) { interleave::take_apart (lanes, kept, window.width, rows, true); });
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
