// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums along the rays of sheets, and their transpose. Neighbouring rays, or neighbouring voxels along z, are the lanes
// of a vector: as places run along z at equal steps, two vectors of values have those of all lanes, and permutations
// take them from there. Vectors begin at fixed rays and slices, and products and sums are fused only where MulAdd says
// so, so that rounding does not depend on the work at hand, nor on the instance of a template.
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward-project/sheet-sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/forward-project/sheet-inl.hpp"
#include <algorithm>
#include <cmath>
#include <type_traits>

HWY_BEFORE_NAMESPACE ();
namespace sino::forward_project::HWY_NAMESPACE {

// Adds to the sums of rays from `number` on: values at z + number * apart of the lines of some planes.
template <class Window, int Vectors>
HWY_INLINE void read (const float (*lines)[Blends::room], const float *z, const float *apart, int64_t planes,
                      float number, float *sums)
{
  const Floats d;
  constexpr auto most = Blends::planes;
  HWY_ALIGN int32_t begin[Vectors][most];
  HWY_ALIGN float fraction[Vectors][most];
  Vector sum[Vectors];
#pragma GCC unroll 4
  for (int v = 0; v < Vectors; v++) {
    const auto start = hn::Set (d, number + static_cast<float> (v * lanes));
    for (int64_t i = 0; i < planes; i += lanes) {
      const auto place = hn::MulAdd (start, hn::LoadU (d, apart + i), hn::LoadU (d, z + i));
      part (place, begin[v] + i, fraction[v] + i);
    }
    sum[v] = hn::LoadU (d, sums + v * lanes);
  }
  const auto one = hn::Set (d, 1.0F), numbers = hn::Iota (d, 0);
  for (int64_t i = 0; i < planes; i++) {
    const auto step = hn::Set (d, apart[i]);
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; v++) {
      const auto place = hn::MulAdd (numbers, step, hn::Set (d, fraction[v][i]));
      const auto at = whole (place);
      const auto after = hn::Sub (place, hn::ConvertTo (d, at));
      const auto *window = lines[i] + Blends::before + begin[v][i];
      sum[v] = hn::MulAdd (Window (window).at (at), hn::Sub (one, after), sum[v]);
      sum[v] = hn::MulAdd (Window (window + 1).at (at), after, sum[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < Vectors; v++)
    hn::StoreU (sum[v], d, sums + v * lanes);
}

// The same for all rays that are near any of the planes. Vectors begin at multiples of Rays::most_lanes, so that the
// places of rays, with their rounding, do not depend on line.rays.
template <class Window>
HWY_INLINE void read_rays (const float (*lines)[Blends::room], const float *z, const float *apart, int64_t planes,
                           int64_t origin, Interval there, const Line &line)
{
  float least = 1e9F, most = -1e9F;
  for (const auto i : {int64_t{0}, planes - 1}) {
    const float rays = 1 / apart[i];
    least = std::min (least, (static_cast<float> (there.begin - 1) - z[i]) * rays);
    most = std::max (most, (static_cast<float> (there.end) - z[i]) * rays);
  }
  auto ray = std::max (origin + static_cast<int64_t> (std::floor (least)), line.rays.begin) & -Rays::most_lanes;
  const auto end = std::min (origin + static_cast<int64_t> (std::ceil (most)) + 1, line.rays.end);
  while (ray < end) {
    const auto vectors = (end - ray + lanes - 1) / lanes;
    const auto number = static_cast<float> (ray - origin);
    auto *sums = line.values + (ray - line.rays.begin);
    const auto next = [&] (auto count) HWY_ATTR {
      read<Window, count> (lines, z, apart, planes, number, sums);
      ray += count * lanes;
    };
    if (vectors >= 4)
      next (std::integral_constant<int, 4> ());
    else if (vectors == 3)
      next (std::integral_constant<int, 3> ());
    else if (vectors == 2)
      next (std::integral_constant<int, 2> ());
    else
      next (std::integral_constant<int, 1> ());
  }
}

// With rays up to a voxel apart, one vector has what neighbouring rays read.
HWY_INLINE void read_lines (const float (*lines)[Blends::room], const float *z, const float *apart, int64_t planes,
                            int64_t origin, Interval there, const Line &line)
{
  if (std::max (apart[0], apart[planes - 1]) <= 1)
    read_rays<Narrow> (lines, z, apart, planes, origin, there, line);
  else
    read_rays<Wide> (lines, z, apart, planes, origin, there, line);
}

void add (const Sheet &sheet, const Brick &brick, const Line &line, Blends &blends)
{
  const Floats d;
  Cells cells;
  find<false> (sheet, brick, false, cells);
  for (int64_t from = 0; from < cells.count; from += Blends::planes) {
    const auto planes = std::min (cells.count - from, Blends::planes);
    // Blends all lines first: a window spans two stores, which must have reached the cache before.
    for (int64_t i = 0; i < planes; i++) {
      const auto *one = brick.voxels + cells.column[from + i] * brick.slices, *other = one + cells.next * brick.slices;
      const auto left = hn::Set (d, cells.left[from + i]), right = hn::Set (d, cells.right[from + i]);
      auto *to = blends.values[i] + Blends::before;
      for (int64_t k = 0; k < brick.slices; k += lanes)
        hn::StoreU (hn::MulAdd (left, hn::Load (d, one + k), hn::Mul (right, hn::Load (d, other + k))), d, to + k);
    }
    read_lines (blends.values, cells.z + from, cells.apart + from, planes, cells.origin, brick.there, line);
  }
}

// What rays give to neighbouring slices. Of the first of these slices, ray `begin` is before it, and the slice is
// `fraction` farther; each next slice is `rays` farther. `Pairs`: number of rays on each side that may be less than a
// voxel away; 0: any number.
template <int Pairs>
HWY_INLINE Vector given (const float *values, Interval readable, int32_t begin, float fraction, float rays, float apart)
{
  const Floats d;
  const Integers di;
  const auto zero = hn::Zero (d), one = hn::Set (d, 1.0F), step = hn::Set (d, apart);
  const auto place = hn::MulAdd (hn::Iota (d, 0), hn::Set (d, rays), hn::Set (d, fraction));
  const auto at = whole (place);
  const auto after = hn::Sub (place, hn::ConvertTo (d, at)); // rays from the ray before
  const auto weight = [&] (Vector inside) HWY_ATTR { return hn::Max (zero, inside); };
  // A number less the voxels from the ray before, and plus these.
  const auto less = [&] (Vector x) HWY_ATTR { return hn::NegMulAdd (after, step, x); };
  const auto more = [&] (Vector x) HWY_ATTR { return hn::MulAdd (after, step, x); };
  const auto *window = values + begin;
  if constexpr (Pairs > 0) {
    using Window = std::conditional_t<Pairs == 1, Narrow, Wide>;
    auto sum = hn::Mul (weight (less (one)), Window (window).at (at));
    sum = hn::MulAdd (weight (more (hn::Sub (one, step))), Window (window + 1).at (at), sum);
    if constexpr (Pairs > 1) {
      sum = hn::MulAdd (weight (less (hn::Sub (one, step))), Window (window - 1).at (at), sum);
      sum = hn::MulAdd (weight (more (hn::Sub (one, hn::Add (step, step)))), Window (window + 2).at (at), sum);
    }
    return sum;
  } else {
    auto sum = zero;
    const auto pairs = static_cast<int32_t> (std::ceil (rays));
    const auto least = hn::Set (di, static_cast<int32_t> (readable.begin) - begin),
               most = hn::Set (di, static_cast<int32_t> (readable.end - 1) - begin);
    for (int32_t k = 1 - pairs; k <= pairs; k++) {
      const auto ray = hn::Min (hn::Max (hn::Add (at, hn::Set (di, k)), least), most);
      const auto distance = hn::Abs (less (hn::Set (d, static_cast<float> (k) * apart)));
      sum = hn::MulAdd (weight (hn::Sub (one, distance)), hn::GatherIndex (d, window, ray), sum);
    }
    return sum;
  }
}

// Calls `give` with each place along z, and what the rays of a line give to the slices there.
template <class Give>
HWY_INLINE void give_slices (const Line &line, int64_t origin, Interval slices, float z, float apart, float ray,
                             float rays, Give give)
{
  // Rays that are not there give nothing.
  const auto from = static_cast<float> (line.rays.begin - origin), to = static_cast<float> (line.rays.end - 1 - origin);
  const auto low = std::floor (z + from * apart - 1), high = std::ceil (z + to * apart + 1);
  const auto bottom = static_cast<float> (slices.begin), top = static_cast<float> (slices.end);
  if (low >= top || high <= bottom)
    return;
  const auto first = static_cast<int64_t> (std::max (low, bottom)) / lanes,
             end = (static_cast<int64_t> (std::min (high, top)) + lanes - 1) / lanes;
  const Floats d;
  HWY_ALIGN int32_t begin[Brick::most_slices];
  HWY_ALIGN float fraction[Brick::most_slices];
  for (int64_t i = 0; i < slices.end; i += lanes * lanes) {
    const auto slice = hn::Mul (hn::Iota (d, static_cast<float> (i / lanes)), hn::Set (d, static_cast<float> (lanes)));
    const auto place = hn::MulAdd (slice, hn::Set (d, rays), hn::Set (d, ray));
    part (place, begin + i / lanes, fraction + i / lanes);
  }
  const auto *values = line.values + (origin - line.rays.begin);
  const auto each = [&] (auto pairs) HWY_ATTR {
    const Interval readable{line.rays.begin - origin - Line::room, line.rays.end - origin + Line::room};
    for (auto k = first; k < end; k++)
      give (k * lanes, given<pairs> (values, readable, begin[k], fraction[k], rays, apart));
  };
  if (apart >= 1)
    each (std::integral_constant<int, 1> ());
  else if (apart >= 0.5F)
    each (std::integral_constant<int, 2> ());
  else
    each (std::integral_constant<int, 0> ());
}

HWY_INLINE void give_columns (Vector value, Vector left, Vector right, float *one, float *other)
{
  const Floats d;
  hn::Store (hn::MulAdd (left, value, hn::Load (d, one)), d, one);
  hn::Store (hn::MulAdd (right, value, hn::Load (d, other)), d, other);
}

void spread (const Sheet &sheet, const Brick &brick, const Line &line)
{
  const Floats d;
  Cells cells;
  find<true> (sheet, brick, false, cells);
  for (int64_t i = 0; i < cells.count; i++) {
    auto *one = brick.voxels + cells.column[i] * brick.slices, *other = one + cells.next * brick.slices;
    const auto left = hn::Set (d, cells.left[i]), right = hn::Set (d, cells.right[i]);
    give_slices (line, cells.origin, brick.there, cells.z[i], cells.apart[i], cells.ray[i], cells.rays[i],
                 [&] (int64_t k, Vector value) HWY_ATTR { give_columns (value, left, right, one + k, other + k); });
  }
}

void sum_level (const Sheet &sheet, const Brick &brick, float *sums)
{
  const Floats d;
  Cells cells;
  find<false> (sheet, brick, true, cells);
  constexpr int vectors = 16 / lanes < 1 ? 1 : static_cast<int> (16 / lanes);
  for (auto k = brick.there.begin & -vectors * lanes; k < brick.there.end; k += vectors * lanes) {
    Vector sum[vectors];
    for (int v = 0; v < vectors; v++)
      sum[v] = hn::LoadU (d, sums + k + v * lanes);
    for (int64_t i = 0; i < cells.count; i++) {
      const auto *one = brick.voxels + cells.column[i] * brick.slices + k, *other = one + cells.next * brick.slices;
      const auto left = hn::Set (d, cells.left[i]), right = hn::Set (d, cells.right[i]);
      for (int v = 0; v < vectors; v++)
        sum[v] = hn::MulAdd (right, hn::Load (d, other + v * lanes),
                             hn::MulAdd (left, hn::Load (d, one + v * lanes), sum[v]));
    }
    for (int v = 0; v < vectors; v++)
      hn::StoreU (sum[v], d, sums + k + v * lanes);
  }
}

void give_level (const Sheet &sheet, const Brick &brick, const float *sums)
{
  const Floats d;
  Cells cells;
  find<true> (sheet, brick, true, cells);
  for (int64_t i = 0; i < cells.count; i++) {
    auto *one = brick.voxels + cells.column[i] * brick.slices, *other = one + cells.next * brick.slices;
    const auto left = hn::Set (d, cells.left[i]), right = hn::Set (d, cells.right[i]);
    for (auto k = brick.there.begin & -lanes; k < brick.there.end; k += lanes)
      give_columns (hn::LoadU (d, sums + k), left, right, one + k, other + k);
  }
}

// Returns z of a ray of a level sheet near the middle of a slab, from its first slice.
HWY_INLINE double level_origin (const Sheet &sheet, int64_t bottom, int64_t slices, int64_t &origin)
{
  const double height = static_cast<double> (bottom) + 0.5 * static_cast<double> (slices),
               number = std::floor ((height - sheet.first.start) / sheet.apart.start);
  origin = static_cast<int64_t> (number);
  return sheet.first.start + number * sheet.apart.start - static_cast<double> (bottom);
}

void read_level (const Sheet &sheet, int64_t bottom, int64_t slices, const float *sums, const Line &line)
{
  HWY_ALIGN float lines[1][Blends::room] = {};
  std::copy_n (sums, slices, lines[0] + Blends::before);
  HWY_ALIGN float z[Rays::most_lanes] = {}, apart[Rays::most_lanes] = {};
  int64_t origin = 0;
  z[0] = static_cast<float> (level_origin (sheet, bottom, slices, origin));
  apart[0] = static_cast<float> (sheet.apart.start);
  read_lines (lines, z, apart, 1, origin, {0, slices}, line);
}

void gather_level (const Sheet &sheet, int64_t bottom, int64_t slices, const Line &line, float *sums)
{
  const Floats d;
  int64_t origin = 0;
  const double height = level_origin (sheet, bottom, slices, origin), apart = sheet.apart.start;
  std::fill_n (sums, slices, 0.0F); // slices far from all rays get nothing below
  give_slices (line, origin, {0, slices}, static_cast<float> (height), static_cast<float> (apart),
               static_cast<float> (-height / apart), static_cast<float> (1 / apart),
               [&] (int64_t k, Vector value) HWY_ATTR { hn::StoreU (value, d, sums + k); });
}

void multiply_lengths (const Sheet &sheet, float unit, const Line &line)
{
  const Floats d;
  const auto flat = hn::Set (d, static_cast<float> (sheet.flat)),
             start = hn::Set (d, static_cast<float> (sheet.first.step)),
             step = hn::Set (d, static_cast<float> (sheet.apart.step)), factor = hn::Set (d, unit);
  for (int64_t i = 0; i < line.rays.size (); i += lanes) {
    const auto up = hn::MulAdd (hn::Iota (d, static_cast<float> (line.rays.begin + i)), step, start);
    const auto length = hn::Mul (factor, hn::Sqrt (hn::MulAdd (up, up, flat)));
    hn::StoreU (hn::Mul (length, hn::LoadU (d, line.values + i)), d, line.values + i);
  }
}

} // namespace sino::forward_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::forward_project {

HWY_EXPORT (add);
HWY_EXPORT (spread);
HWY_EXPORT (sum_level);
HWY_EXPORT (give_level);
HWY_EXPORT (read_level);
HWY_EXPORT (gather_level);
HWY_EXPORT (multiply_lengths);

void add_sheet (const Sheet &sheet, const Brick &brick, const Line &line, Blends &blends)
{
  HWY_DYNAMIC_DISPATCH (add) (sheet, brick, line, blends);
}

void spread_sheet (const Sheet &sheet, const Brick &brick, const Line &line)
{
  HWY_DYNAMIC_DISPATCH (spread) (sheet, brick, line);
}

void add_level (const Sheet &sheet, const Brick &brick, float *sums)
{
  HWY_DYNAMIC_DISPATCH (sum_level) (sheet, brick, sums);
}

void spread_level (const Sheet &sheet, const Brick &brick, const float *sums)
{
  HWY_DYNAMIC_DISPATCH (give_level) (sheet, brick, sums);
}

void rays_from_level (const Sheet &sheet, int64_t bottom, int64_t slices, const float *sums, const Line &line)
{
  HWY_DYNAMIC_DISPATCH (read_level) (sheet, bottom, slices, sums, line);
}

void level_from_rays (const Sheet &sheet, int64_t bottom, int64_t slices, const Line &line, float *sums)
{
  HWY_DYNAMIC_DISPATCH (gather_level) (sheet, bottom, slices, line, sums);
}

void lengthen (const Sheet &sheet, float unit, const Line &line)
{
  HWY_DYNAMIC_DISPATCH (multiply_lengths) (sheet, unit, line);
}

} // namespace sino::forward_project
#endif
