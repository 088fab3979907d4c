// SPDX-License-Identifier: LGPL-3.0-or-later
// The transpose of sums along rays, with neighbouring rays in the lanes of vectors. On a plane, vectors find the two
// voxels of each ray and what they get. They get it one by one, in the order of rays, because neighbouring rays meet
// the same voxels. Products and sums are those of spread_ray (), in float64 and never fused, so that all sets of
// instructions give the same bytes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward-project/spread.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/forward-project/joseph.hpp"
#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE ();
namespace sino::forward_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t most = Rays::most_lanes;
using Doubles = hn::CappedTag<double, most>;
using Vector = hn::Vec<Doubles>;

// Returns the integer below a number that is greater than -65536, as spread_ray () finds it.
HWY_INLINE Vector whole_below (Vector x)
{
  const auto far = hn::Set (Doubles (), 65536.0);
  return hn::Sub (hn::Trunc (hn::Add (x, far)), far);
}

// Neighbouring rays along the same axis, and their planes near a slice: none if `from` is above `to`.
struct Shares {
  HWY_ALIGN double value[most], from[most], to[most];
  double first, last; // of all rays
};

HWY_INLINE void find_planes (const Rays &rays, size_t at, double z, Shares &shares)
{
  const Doubles d;
  auto least = hn::Set (d, 1e300), greatest = hn::Set (d, -1e300);
  for (size_t i = 0; i < most; i += hn::Lanes (d)) {
    const auto load = [&] (const std::vector<double> &list) HWY_ATTR { return hn::LoadU (d, list.data () + at + i); };
    const auto start = load (rays.up), inverse = load (rays.inverse);
    const auto one = hn::Mul (hn::Sub (hn::Set (d, z - 1), start), inverse),
               other = hn::Mul (hn::Sub (hn::Set (d, z + 1), start), inverse);
    const auto begin = hn::Max (load (rays.first), hn::Min (one, other)),
               end = hn::Min (load (rays.last), hn::Max (one, other));
    const auto some = hn::Le (begin, end);
    const auto from = hn::IfThenElse (some, whole_below (begin), hn::Set (d, 1e300)),
               to = hn::IfThenElse (some, whole_below (end), hn::Set (d, -1e300));
    hn::Store (from, d, shares.from + i);
    hn::Store (to, d, shares.to + i);
    least = hn::Min (least, from);
    greatest = hn::Max (greatest, to);
  }
  shares.first = hn::GetLane (hn::MinOfLanes (d, least));
  shares.last = hn::GetLane (hn::MaxOfLanes (d, greatest));
}

// What the rays give to the two voxels around them on a plane; 0 for rays that are not near the slice there.
struct Given {
  HWY_ALIGN float left[most], right[most];
  HWY_ALIGN int32_t voxel[most];
};

HWY_INLINE uint32_t find (const Rays &rays, size_t at, const Shares &shares, double plane, double z, Given &given)
{
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  const hn::Rebind<int32_t, Doubles> di;
  const auto zero = hn::Zero (d), one = hn::Set (d, 1.0);
  uint32_t some = 0;
  for (size_t i = 0; i < most; i += hn::Lanes (d)) {
    const auto load = [&] (const std::vector<double> &list) HWY_ATTR { return hn::LoadU (d, list.data () + at + i); };
    const auto n = hn::Set (d, plane);
    const auto near = hn::And (hn::Le (hn::Load (d, shares.from + i), n), hn::Le (n, hn::Load (d, shares.to + i)));
    const auto in = hn::Add (load (rays.in), hn::Mul (load (rays.in_step), n)),
               up = hn::Add (load (rays.up), hn::Mul (load (rays.up_step), n));
    const auto weight = hn::Max (zero, hn::Sub (one, hn::Abs (hn::Sub (up, hn::Set (d, z)))));
    const auto before = whole_below (in), after = hn::Sub (in, before);
    const auto value = hn::Load (d, shares.value + i);
    const auto left = hn::Mul (hn::Mul (weight, hn::Sub (one, after)), value),
               right = hn::Mul (hn::Mul (weight, after), value);
    hn::Store (hn::DemoteTo (df, hn::IfThenElseZero (near, left)), df, given.left + i);
    hn::Store (hn::DemoteTo (df, hn::IfThenElseZero (near, right)), df, given.right + i);
    hn::Store (hn::DemoteTo (di, hn::IfThenElseZero (near, before)), di, given.voxel + i);
    uint8_t bits[8] = {};
    hn::StoreMaskBits (d, near, bits);
    some |= (static_cast<uint32_t> (bits[0]) | static_cast<uint32_t> (bits[1]) << 8) << i;
  }
  return some;
}

// A line of `count` voxels that are `step` apart.
struct Line {
  float *first;
  int64_t count, step;

  HWY_INLINE void add (const Given &given, size_t k) const
  {
    const int64_t v = given.voxel[k];
    if (v >= 0 && v < count)
      first[v * step] += given.left[k];
    if (v + 1 >= 0 && v + 1 < count)
      first[(v + 1) * step] += given.right[k];
  }
};

void spread (const Volume &volume, int64_t slice_number, const float *pixels, const Detector &detector,
             const Rays &rays, float *slice)
{
  const double share = 1.0 / (detector.across * detector.down), z = static_cast<double> (slice_number);
  Shares shares;
  Given given[2];
  for (int64_t i = 0; i < rays.size (); i += most) {
    const auto at = static_cast<size_t> (i);
    const auto place = i % rays.stride;
    const auto used = std::min (most, rays.line - place);
    const auto value = [&] (int64_t k) {
      return share * rays.length[at + static_cast<size_t> (k)] *
             static_cast<double> (pixels[(place + k) / detector.across]);
    };
    if (rays.along[at] == Along::z || rays.mixed[at / most]) {
      for (int64_t k = 0; k < used; k++)
        spread_ray (volume, slice_number, rays.at (i + k), value (k), slice);
      continue;
    }
    find_planes (rays, at, z, shares);
    for (int64_t k = 0; k < most; k++) {
      shares.value[k] = k < used ? value (k) : 0;
      if (k >= used) // a repeated ray
        shares.from[k] = 1e300;
    }
    const bool lines = rays.along[at] == Along::y;
    const auto count = lines ? volume.columns : volume.lines, step = lines ? 1 : volume.columns;
    const auto line = [&] (double plane) {
      return Line{slice + static_cast<int64_t> (plane) * (lines ? volume.columns : 1), count, step};
    };
    // Two planes at a time: while a sum on one of them waits for the sum before it, the other goes on.
    for (double plane = shares.first; plane <= shares.last; plane += 2) {
      auto some = find (rays, at, shares, plane, z, given[0]);
      const auto one = line (plane);
      if (plane == shares.last) {
        for (; some != 0; some &= some - 1)
          one.add (given[0], static_cast<size_t> (__builtin_ctz (some)));
        break;
      }
      some |= find (rays, at, shares, plane + 1, z, given[1]);
      const auto other = line (plane + 1);
      for (; some != 0; some &= some - 1) {
        const auto k = static_cast<size_t> (__builtin_ctz (some));
        one.add (given[0], k);
        other.add (given[1], k);
      }
    }
  }
}

} // namespace sino::forward_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::forward_project {

HWY_EXPORT (spread);

void spread_row (const Volume &volume, int64_t z, const float *pixels, const Detector &detector, const Rays &rays,
                 float *slice)
{
  HWY_DYNAMIC_DISPATCH (spread) (volume, z, pixels, detector, rays, slice);
}

} // namespace sino::forward_project
#endif
