// SPDX-License-Identifier: LGPL-3.0-or-later
// Vectors of values along z, and the places of sheets in bricks. Included once per target, inside its namespace's
// translation unit.
#if defined(SINO_SHEET_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_SHEET_INL
#undef SINO_SHEET_INL
#else
#define SINO_SHEET_INL
#endif

#include "kernels/forward-project/sheets.hpp"
#include <cmath>
#include <hwy/highway.h>
#if HWY_TARGET <= HWY_AVX2
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE ();
namespace sino::forward_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, Rays::most_lanes>;
using Integers = hn::RebindToSigned<Floats>;
using Doubles = hn::CappedTag<double, Rays::most_lanes>;
using Vector = hn::Vec<Floats>;
using IntegerVector = hn::Vec<Integers>;
constexpr auto lanes = static_cast<int64_t> (hn::MaxLanes (Floats ()));

// Values of one vector.
struct Narrow {
  Vector values;

  HWY_INLINE explicit Narrow (const float *from) : values (hn::LoadU (Floats (), from)) {}
  // `place`: 0 to lanes - 1.
  HWY_INLINE Vector at (IntegerVector place) const
  {
#if HWY_TARGET <= HWY_AVX3
    return Vector{_mm512_permutexvar_ps (place.raw, values.raw)};
#elif HWY_TARGET == HWY_AVX2
    return Vector{_mm256_permutevar8x32_ps (values.raw, place.raw)};
#else
    const Floats d;
    return hn::TableLookupLanes (
        values, hn::IndicesFromVec (d, hn::And (place, hn::Set (Integers (), static_cast<int32_t> (lanes - 1)))));
#endif
  }
};

// Values of two vectors.
struct Wide {
  Vector low, high;

  HWY_INLINE explicit Wide (const float *from)
      : low (hn::LoadU (Floats (), from)), high (hn::LoadU (Floats (), from + lanes))
  {
  }
  // `place`: 0 to 2 lanes - 1.
  HWY_INLINE Vector at (IntegerVector place) const
  {
#if HWY_TARGET <= HWY_AVX3
    return Vector{_mm512_permutex2var_ps (low.raw, place.raw, high.raw)};
#elif HWY_TARGET == HWY_AVX2
    const auto beyond = hn::Gt (place, hn::Set (Integers (), static_cast<int32_t> (lanes - 1)));
    return hn::IfThenElse (hn::RebindMask (Floats (), beyond), Vector{_mm256_permutevar8x32_ps (high.raw, place.raw)},
                           Vector{_mm256_permutevar8x32_ps (low.raw, place.raw)});
#else
    const Floats d;
    const Integers di;
    const auto index = hn::IndicesFromVec (d, hn::And (place, hn::Set (di, static_cast<int32_t> (lanes - 1))));
    return hn::IfThenElse (hn::RebindMask (d, hn::Lt (place, hn::Set (di, static_cast<int32_t> (lanes)))),
                           hn::TableLookupLanes (low, index), hn::TableLookupLanes (high, index));
#endif
  }
};

// The integers below numbers that are not negative, and less than 2^31.
HWY_INLINE IntegerVector whole (Vector x)
{
#if HWY_TARGET <= HWY_AVX3
  return IntegerVector{_mm512_cvttps_epi32 (x.raw)};
#elif HWY_TARGET == HWY_AVX2
  return IntegerVector{_mm256_cvttps_epi32 (x.raw)};
#else
  return hn::ConvertTo (Integers (), x);
#endif
}

// Stores the integers below places, and the rest. The rest of the first lane and less than `lanes` steps of up to 1
// stay below `lanes` when they are rounded, because the rest is no nearer to 1.
HWY_INLINE void part (Vector place, int32_t *begin, float *rest)
{
  const Floats d;
  const auto before = hn::Floor (place);
  hn::Store (hn::ConvertTo (Integers (), before), Integers (), begin);
  hn::Store (hn::Min (hn::Sub (place, before), hn::Set (d, 1 - 0x1p-20F)), d, rest);
}

// Where a sheet goes between columns of voxels of a brick. z is that of a ray `origin`, counted from the slab's first
// slice, and then goes from ray to ray.
struct Cells {
  static constexpr int64_t most = Brick::side + Rays::most_lanes;

  int64_t count = 0, origin = 0;
  int64_t next = 0; // from a column of voxels to that at its right, in columns
  int32_t column[most];
  HWY_ALIGN float left[most], right[most]; // weights of the two columns
  HWY_ALIGN float z[most], apart[most];
  HWY_ALIGN float ray[most], rays[most]; // ray at the slab's first slice, and from slice to slice
};

// `Backward`: finds rays for places along z as well.
template <bool Backward> HWY_INLINE void find (const Sheet &sheet, const Brick &brick, bool level, Cells &cells)
{
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  const hn::Rebind<int32_t, Doubles> di;
  const bool lines = sheet.along == Along::y;
  const auto planes = lines ? brick.y : brick.x, places = lines ? brick.cells_x : brick.cells_y;
  HWY_ALIGN int32_t place[Cells::most];
  HWY_ALIGN float right[Cells::most], z[Cells::most], apart[Cells::most], ray[Cells::most], rays[Cells::most];
  Course first{0, 0};
  if (!level) {
    // Numbers of rays count from one in the middle, which depends on the place of the brick only.
    const double middle = 0.5 * static_cast<double> (planes.begin + planes.end - 1),
                 height = static_cast<double> (brick.bottom) + 0.5 * static_cast<double> (brick.slices),
                 origin = std::floor ((height - sheet.first.at (middle)) / sheet.apart.at (middle));
    cells.origin = static_cast<int64_t> (origin);
    first = {sheet.first.start + origin * sheet.apart.start - static_cast<double> (brick.bottom),
             sheet.first.step + origin * sheet.apart.step};
  }
  const auto at = [&] (const Course &course, hn::Vec<Doubles> plane)
                      HWY_ATTR { return hn::MulAdd (hn::Set (d, course.step), plane, hn::Set (d, course.start)); };
  for (int64_t i = 0; i < planes.size (); i += static_cast<int64_t> (hn::Lanes (d))) {
    const auto plane = hn::Iota (d, static_cast<double> (planes.begin + i));
    const auto in = at (sheet.in, plane), before = hn::Floor (in);
    // limited, as steep sheets leave the range of integers
    const auto limited = hn::Min (hn::Max (before, hn::Set (d, -1e9)), hn::Set (d, 1e9));
    hn::StoreU (hn::DemoteTo (di, limited), di, place + i);
    hn::StoreU (hn::DemoteTo (df, hn::Sub (in, before)), df, right + i);
    if (level)
      continue;
    const auto up = at (first, plane), step = at (sheet.apart, plane);
    hn::StoreU (hn::DemoteTo (df, step), df, apart + i);
    if constexpr (Backward) {
      const auto inverse = hn::Div (hn::Set (d, 1.0), step);
      hn::StoreU (hn::DemoteTo (df, hn::Neg (hn::Mul (up, inverse))), df, ray + i);
      hn::StoreU (hn::DemoteTo (df, inverse), df, rays + i);
    }
    hn::StoreU (hn::DemoteTo (df, up), df, z + i);
  }
  cells.next = lines ? 1 : Brick::pitch;
  int64_t count = 0;
  for (int64_t i = 0; i < planes.size (); i++) {
    if (place[i] < places.begin || place[i] >= places.end)
      continue;
    const auto plane = planes.begin + i;
    const auto column = lines ? brick.column (place[i], plane) : brick.column (plane, place[i]);
    if (brick.filled && !(brick.filled[column] | brick.filled[column + cells.next]))
      continue;
    cells.column[count] = static_cast<int32_t> (column);
    cells.right[count] = right[i];
    cells.left[count] = 1 - right[i];
    if (!level) {
      cells.z[count] = z[i];
      cells.apart[count] = apart[i];
      if constexpr (Backward) {
        cells.ray[count] = ray[i];
        cells.rays[count] = rays[i];
      }
    }
    count++;
  }
  cells.count = count;
  for (int64_t i = count; i < std::min (count + lanes, Cells::most); i++) // read with the others, and not used
    cells.z[i] = cells.apart[i] = 0;
}

} // namespace sino::forward_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
