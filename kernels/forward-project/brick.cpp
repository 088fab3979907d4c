// SPDX-License-Identifier: LGPL-3.0-or-later
// Transposes voxels: from lines of slices to columns along z, and back.
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward-project/brick.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/forward-project/sheets.hpp"
#include <algorithm>

HWY_BEFORE_NAMESPACE ();
namespace sino::forward_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four slices of a line, and columns of voxels that are `apart` values apart: one at a time, or four.
constexpr int64_t together = 4;

#if HWY_TARGET != HWY_SCALAR
using Four = hn::FixedTag<float, together>;

// Calls store (i, values) for each of four vectors, with the transposed values of these vectors.
template <class Load, class Store> HWY_INLINE void transpose (Load load, Store store)
{
  const Four d;
  const auto a = load (0), b = load (1), c = load (2), e = load (3);
  const auto ab = hn::InterleaveLower (d, a, b), ce = hn::InterleaveLower (d, c, e), //
      ab_upper = hn::InterleaveUpper (d, a, b), ce_upper = hn::InterleaveUpper (d, c, e);
  store (0, hn::ConcatLowerLower (d, ce, ab));
  store (1, hn::ConcatUpperUpper (d, ce, ab));
  store (2, hn::ConcatLowerLower (d, ce_upper, ab_upper));
  store (3, hn::ConcatUpperUpper (d, ce_upper, ab_upper));
}
#endif

// Copies lines of slices to columns of voxels, or back, for the lines of a brick and `around` more voxels.
template <bool Back, class Slices>
void copy (const Volume &volume, const Slices &slices, const Brick &brick, int64_t around)
{
  const Interval x{std::max<int64_t> (brick.x.begin - around, 0), std::min (brick.x.end + around, volume.columns)},
      y{std::max<int64_t> (brick.y.begin - around, 0), std::min (brick.y.end + around, volume.lines)};
  const auto apart = brick.slices;
  for (auto line = y.begin; line < y.end; line++)
    for (int64_t z = 0; z < brick.slices; z += together) {
      auto *columns = brick.voxels + brick.column (x.begin, line) * apart + z;
      const auto *some = &slices[static_cast<size_t> (z)];
      const auto at = line * volume.columns + x.begin;
      int64_t done = 0;
#if HWY_TARGET != HWY_SCALAR
      const Four d;
      if (some[0] && some[1] && some[2] && some[3])
        for (; done + together <= x.size (); done += together) {
          if constexpr (Back)
            transpose ([&] (int64_t i) HWY_ATTR { return hn::LoadU (d, columns + (done + i) * apart); },
                       [&] (int64_t i, auto values) HWY_ATTR { hn::StoreU (values, d, some[i] + at + done); });
          else
            transpose ([&] (int64_t i) HWY_ATTR { return hn::LoadU (d, some[i] + at + done); },
                       [&] (int64_t i, auto values) HWY_ATTR { hn::StoreU (values, d, columns + (done + i) * apart); });
        }
#endif
      for (int64_t i = 0; i < together; i++)
        for (auto k = done; some[i] && k < x.size (); k++)
          if constexpr (Back)
            some[i][at + k] = columns[k * apart + i];
          else
            columns[k * apart + i] = some[i][at + k];
    }
}

bool fill (const Volume &volume, std::span<const float *const> slices, const Brick &brick, uint8_t *filled)
{
  std::fill_n (brick.voxels, brick_voxels (brick.slices), 0.0F);
  copy<false> (volume, slices, brick, 1);
  int some = 0;
  for (int64_t i = 0; i < Brick::pitch * Brick::pitch; i++) {
    int values = 0;
    for (auto z = i * brick.slices; z < (i + 1) * brick.slices; z++)
      values |= brick.voxels[z] != 0;
    filled[i] = values != 0;
    some |= values;
  }
  return some != 0;
}

void load (const Volume &volume, std::span<float *const> slices, const Brick &brick)
{
  std::fill_n (brick.voxels, brick_voxels (brick.slices), 0.0F);
  copy<false> (volume, slices, brick, 0);
}

void store (const Volume &volume, std::span<float *const> slices, const Brick &brick)
{
  copy<true> (volume, slices, brick, 0);
}

} // namespace sino::forward_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::forward_project {

HWY_EXPORT (fill);
HWY_EXPORT (load);
HWY_EXPORT (store);

bool fill_brick (const Volume &volume, std::span<const float *const> slices, const Brick &brick, uint8_t *filled)
{
  return HWY_DYNAMIC_DISPATCH (fill) (volume, slices, brick, filled);
}

void load_brick (const Volume &volume, std::span<float *const> slices, const Brick &brick)
{
  HWY_DYNAMIC_DISPATCH (load) (volume, slices, brick);
}

void store_brick (const Volume &volume, std::span<float *const> slices, const Brick &brick)
{
  HWY_DYNAMIC_DISPATCH (store) (volume, slices, brick);
}

} // namespace sino::forward_project
#endif
