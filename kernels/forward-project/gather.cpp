// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums along neighbouring rays, one ray per lane of a vector. On a plane, the rays read neighbouring voxels of a line:
// two vectors of voxels are loaded, and each lane takes its own. Positions are computed anew every few planes, so that
// float32 holds them to 1e-5 of a voxel, even in large volumes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward-project/gather.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/forward-project/joseph.hpp"
#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE ();
namespace sino::forward_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t planes_at_once = 64;
using Floats = hn::CappedTag<float, Rays::most_lanes>;
using Vector = hn::Vec<Floats>;
using Doubles = hn::CappedTag<double, Rays::most_lanes>;

// Finds the range of planes, from `first` to `last`, on which the ray of any lane is near slice z.
HWY_INLINE void planes_near (const Rays &rays, int64_t at, int64_t lanes, int64_t z, double &first, double &last)
{
  const Doubles d;
  const auto none = hn::Set (d, 1e300);
  const auto above = hn::Set (d, static_cast<double> (z - 1)), below = hn::Set (d, static_cast<double> (z + 1));
  auto least = none, most = hn::Neg (none);
  for (int64_t i = 0; i < lanes; i += static_cast<int64_t> (hn::Lanes (d))) {
    const auto load = [&] (const std::vector<double> &list) HWY_ATTR { return hn::LoadU (d, list.data () + at + i); };
    const auto start = load (rays.up), inverse = load (rays.inverse);
    const auto one = hn::Mul (hn::Sub (above, start), inverse), other = hn::Mul (hn::Sub (below, start), inverse);
    const auto begin = hn::Max (load (rays.first), hn::Min (one, other)),
               end = hn::Min (load (rays.last), hn::Max (one, other));
    const auto some = hn::Le (begin, end);
    least = hn::Min (least, hn::IfThenElse (some, begin, none));
    most = hn::Max (most, hn::IfThenElse (some, end, hn::Neg (none)));
  }
  first = std::ceil (hn::GetLane (hn::MinOfLanes (d, least)));
  last = std::floor (hn::GetLane (hn::MaxOfLanes (d, most)));
}

// Rays of the lanes on the first of some planes: at `place`, in voxels from a base, and `height` above the slice. Both
// change by `step` and `rise` from plane to plane. The first and the last lane have the outermost rays. gather () reads
// planes of `line` voxels one after the other, the first at `voxels`, and skips zeros, which do not change the sum.
struct Bundle {
  HWY_ALIGN float place[Rays::most_lanes], step[Rays::most_lanes], height[Rays::most_lanes], rise[Rays::most_lanes];
};

HWY_INLINE void begin (const Rays &rays, int64_t at, double plane, double base, double slice, Bundle &bundle)
{
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  for (int64_t i = 0; i < static_cast<int64_t> (hn::MaxLanes (Floats ())); i += static_cast<int64_t> (hn::Lanes (d))) {
    const auto put = [&] (const std::vector<double> &start, const std::vector<double> &step, double from, float *places,
                          float *steps) HWY_ATTR {
      const auto by = hn::LoadU (d, step.data () + at + i);
      const auto place = hn::MulAdd (by, hn::Set (d, plane), hn::LoadU (d, start.data () + at + i));
      hn::StoreU (hn::DemoteTo (df, hn::Sub (place, hn::Set (d, from))), df, places + i);
      hn::StoreU (hn::DemoteTo (df, by), df, steps + i);
    };
    put (rays.in, rays.in_step, base, bundle.place, bundle.step);
    put (rays.up, rays.up_step, slice, bundle.height, bundle.rise);
  }
}

HWY_INLINE Vector gather (const float *voxels, const Filled *filled, int64_t line, int64_t base, const Bundle &bundle,
                          int64_t planes)
{
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const hn::RebindToUnsigned<Floats> du;
  constexpr auto lanes = static_cast<int64_t> (hn::MaxLanes (d));
  const auto one = hn::Set (d, 1.0F);
  const auto place = hn::Load (d, bundle.place), step = hn::Load (d, bundle.step);
  const auto height = hn::Load (d, bundle.height), rise = hn::Load (d, bundle.rise);
  const auto window = hn::Set (du, static_cast<uint32_t> (2 * lanes)),
             half = hn::Set (du, static_cast<uint32_t> (lanes));
  auto sum = hn::Zero (d);
  for (int64_t n = 0; n < planes; n++, voxels += line) {
    const auto far = static_cast<float> (n);
    const float least =
        std::min (bundle.place[0] + far * bundle.step[0], bundle.place[lanes - 1] + far * bundle.step[lanes - 1]);
    const auto begin = std::clamp<int64_t> (base + static_cast<int64_t> (least + 65536) - 65537, 0, line - 2 * lanes);
    if (begin >= filled[n].end || begin + 2 * lanes <= filled[n].begin)
      continue;
    const auto in = hn::MulAdd (hn::Set (d, far), step, place), up = hn::MulAdd (hn::Set (d, far), rise, height);
    const auto before = hn::Floor (in), after = hn::Sub (in, before);
    const auto left =
        hn::BitCast (du, hn::Add (hn::ConvertTo (di, before), hn::Set (di, static_cast<int32_t> (base - begin))));
    const auto lower = hn::LoadU (d, voxels + begin), upper = hn::LoadU (d, voxels + begin + lanes);
    const auto value = [&] (auto at, auto weight) HWY_ATTR {
      const auto index = hn::IndicesFromVec (d, hn::And (at, hn::Set (du, static_cast<uint32_t> (lanes - 1))));
      const auto there = hn::RebindMask (d, hn::Lt (at, window)), first = hn::RebindMask (d, hn::Lt (at, half));
      const auto read =
          hn::IfThenElse (first, hn::TableLookupLanes (lower, index), hn::TableLookupLanes (upper, index));
      return hn::Mul (read, hn::IfThenElseZero (there, weight));
    };
    const auto both = hn::Add (value (left, hn::Sub (one, after)), value (hn::Add (left, hn::Set (du, 1U)), after));
    sum = hn::MulAdd (both, hn::Max (hn::Zero (d), hn::Sub (one, hn::Abs (up))), sum);
  }
  return sum;
}

// Whether the lanes' voxels fit into the window of two vectors.
HWY_INLINE bool fits (const Rays &rays, size_t a, size_t b, double first, double last, int64_t line, int64_t lanes)
{
  const auto apart = [&] (double plane) {
    return std::abs (rays.in[b] + rays.in_step[b] * plane - rays.in[a] - rays.in_step[a] * plane);
  };
  return line >= 2 * lanes && std::max (apart (first), apart (last)) < static_cast<double> (2 * lanes - 4);
}

void add (const Volume &volume, int64_t z, const Slice &slice, const Rays &rays, int64_t across, float share,
          float *pixels)
{
  const Floats d;
  constexpr auto lanes = static_cast<int64_t> (hn::MaxLanes (d));
  Bundle bundle;
  HWY_ALIGN float sums[Rays::most_lanes];
  for (int64_t at = 0; at < rays.size (); at += lanes) {
    const auto a = static_cast<size_t> (at), b = a + static_cast<size_t> (lanes) - 1;
    const auto along = rays.along[a];
    const bool lines = along == Along::y;
    const auto line = lines ? volume.columns : volume.lines;
    bool vectors = along != Along::z && !rays.mixed[a / Rays::most_lanes] &&
                   static_cast<int64_t> (hn::Lanes (d)) == lanes && lanes > 1;
    double first = 0, last = -1;
    if (vectors) {
      planes_near (rays, at, lanes, z, first, last);
      if (first > last)
        continue;
      vectors = fits (rays, a, b, first, last, line, lanes);
    }
    if (vectors) {
      auto sum = hn::Zero (d);
      for (double from = first; from <= last; from += planes_at_once) {
        const double base = std::floor (rays.in[a] + rays.in_step[a] * from);
        begin (rays, at, from, base, static_cast<double> (z), bundle);
        const auto plane = static_cast<int64_t> (from);
        const auto *voxels = (lines ? slice.lines : slice.columns) + plane * line;
        const auto *filled = (lines ? slice.filled_lines : slice.filled_columns) + plane;
        const double planes = std::min (last - from + 1, static_cast<double> (planes_at_once));
        sum = hn::Add (
            sum, gather (voxels, filled, line, static_cast<int64_t> (base), bundle, static_cast<int64_t> (planes)));
      }
      hn::Store (sum, d, sums);
    }
    const auto place = at % rays.stride;
    for (int64_t i = 0; i < std::min (lanes, rays.line - place); i++) {
      const double found =
          vectors ? static_cast<double> (sums[i]) : gathered (volume, z, slice.lines, rays.at (at + i));
      const auto pixel = across == 1 ? place + i : (place + i) / across;
      pixels[pixel] += share * static_cast<float> (rays.length[a + static_cast<size_t> (i)] * found);
    }
  }
}

} // namespace sino::forward_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::forward_project {

HWY_EXPORT (add);

void add_slice (const Volume &volume, int64_t z, const Slice &slice, const Detector &detector, const Rays &rays,
                float *pixels)
{
  HWY_DYNAMIC_DISPATCH (add)
  (volume, z, slice, rays, detector.across, 1 / static_cast<float> (detector.across * detector.down), pixels);
}

} // namespace sino::forward_project
#endif
