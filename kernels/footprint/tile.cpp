// SPDX-License-Identifier: LGPL-3.0-or-later
// Projects and back-projects the lines of voxels of a tile. A line is resampled to rows of the detector once for all
// columns of its shadow; back-projection adds these columns up first. Both compute the overlap of a voxel's shadow and
// a bin by the same formula.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/footprint/tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/footprint/shadow-inl.hpp"
#include <cstring>

HWY_BEFORE_NAMESPACE ();
namespace sino::footprint::HWY_NAMESPACE {

using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

// Zeros before and after a line, for the taps of its first and last values.
constexpr int64_t margin = 192;

constexpr size_t shadow_bytes = sizeof (Shadows) * views_together;

HWY_INLINE int64_t line_floats (const Scene &scene)
{
  return std::max (scene.column, scene.line) + 2 * margin;
}

// How values are added up around a place: value j has the weight max (0, min (top, half - |scale (j - place)|)), which
// is 0 from a distance of `reach` on.
struct Taps {
  double reach;
  float top, half, scale;
  int count;
};

HWY_INLINE Taps taps_of (double height, double scale)
{
  const double reach = 0.5 * (1 + height) / std::abs (scale);
  return {.reach = reach,
          .top = static_cast<float> (std::min (1.0, height)),
          .half = static_cast<float> (0.5 * (1 + height)),
          .scale = static_cast<float> (scale),
          .count = static_cast<int> (std::ceil (2 * reach))};
}

// Values of two vectors, the second after the first.
struct Pair {
  Vector lower, upper;

  template <class Index> HWY_INLINE Vector operator() (Index index) const
  {
    const Floats d;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    return Vector{_mm512_permutex2var_ps (lower.raw, index.raw, upper.raw)};
#else
    const hn::RebindToSigned<Floats> di;
    const auto lanes = hn::Set (di, static_cast<int32_t> (hn::Lanes (d)));
    const auto in_lower = hn::RebindMask (d, hn::Lt (index, lanes));
    const auto place = hn::IndicesFromVec (d, hn::And (index, hn::Sub (lanes, hn::Set (di, 1))));
    return hn::IfThenElse (in_lower, hn::TableLookupLanes (lower, place), hn::TableLookupLanes (upper, place));
#endif
  }
};

// Sums around places `at`, `at + step` ... in a line. With `near`, all taps are in two vectors.
template <int count, bool near>
HWY_INLINE Vector sum_around (const float *line, double at, double step, const Taps &taps)
{
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const double base = std::floor (std::min (at, at + step * static_cast<double> (lanes - 1)) - taps.reach) + 1;
  const auto place =
      hn::MulAdd (hn::Iota (d, 0), hn::Set (d, static_cast<float> (step)), hn::Set (d, static_cast<float> (at - base)));
  const auto first =
      hn::Max (hn::Floor (hn::Sub (place, hn::Set (d, static_cast<float> (taps.reach - 1)))), hn::Zero (d));
  const auto *from = line + static_cast<int64_t> (base);
  const auto top = hn::Set (d, taps.top), half = hn::Set (d, taps.half), scale = hn::Set (d, taps.scale);
  auto distance = hn::Mul (hn::Sub (first, place), scale);
  auto index = hn::ConvertTo (di, first);
  auto sum = hn::Zero (d);
  const auto add = [&] (auto look_up) HWY_ATTR {
    for (int k = 0; k < (count > 0 ? count : taps.count); k++) {
      const auto weight = hn::Max (hn::Min (top, hn::Sub (half, hn::Abs (distance))), hn::Zero (d));
      sum = hn::MulAdd (weight, look_up (index), sum);
      distance = hn::Add (distance, scale);
      index = hn::Add (index, hn::Set (di, 1));
    }
  };
  if constexpr (near) {
    add (Pair{hn::LoadU (d, from), hn::LoadU (d, from + lanes)});
  } else {
    add ([&] (auto i) HWY_ATTR { return hn::GatherIndex (d, from, i); });
  }
  return sum;
}

// Calls emit (i, vector) for whole vectors of sums that hold `range`. Sum i is around the place `at + i step`.
template <class Emit>
HWY_INLINE void resample (const float *line, double at, double step, const Taps &taps, Interval range, Emit emit)
{
  const auto lanes = static_cast<int64_t> (hn::Lanes (Floats ()));
  const auto run = [&]<int count, bool near> () HWY_ATTR {
    for (auto i = range.begin / lanes * lanes; i < range.end; i += lanes)
      emit (i, sum_around<count, near> (line, at + step * static_cast<double> (i), step, taps));
  };
  const bool near = HWY_TARGET != HWY_SCALAR && std::abs (step) * static_cast<double> (lanes - 1) + taps.count + 1 <=
                                                    static_cast<double> (2 * lanes);
  if (!near)
    run.template operator()<0, false> ();
  else if (taps.count <= 2)
    run.template operator()<2, true> ();
  else if (taps.count == 3)
    run.template operator()<3, true> ();
  else
    run.template operator()<0, true> ();
}

// Indices i of [0, n) at most `reach` away from the values `at` ... `at + (all - 1) step` of a line.
HWY_INLINE Interval met (double at, double step, int64_t all, double reach, int64_t n)
{
  const double end = at + step * static_cast<double> (all - 1);
  const double first = std::floor (std::min (at, end) - reach), last = std::ceil (std::max (at, end) + reach);
  const auto whole = [n] (double x) { return static_cast<int64_t> (std::clamp (x, 0.0, static_cast<double> (n))); };
  return {whole (first), whole (last + 1)};
}

// The columns of a line's shadow that the detector has.
struct Columns {
  int64_t first;
  int begin, end;
};

HWY_INLINE Columns columns_of (const Shadows &shadows, int64_t i, int64_t columns)
{
  const double first = std::clamp (shadows.first[i], -1.0 * most_columns, static_cast<double> (columns));
  const auto at = static_cast<int64_t> (first);
  return {at, static_cast<int> (std::max<int64_t> (0, -at)),
          static_cast<int> (std::min<int64_t> (shadows.count, columns - at))};
}

// Calls visit (line in the tile, voxels) for the tile's lines of voxels.
template <class Voxels, class Visit>
HWY_INLINE void visit_lines (const Scene &scene, int64_t x, int64_t y, Voxels *volume, Visit visit)
{
  for (auto line = y; line < std::min (y + side, scene.volume.lines); line++) {
    const auto inside = scene.inside[static_cast<size_t> (line)];
    for (auto column = std::max (x, inside.begin); column < std::min (x + side, inside.end); column++)
      visit ((line - y) * side + column - x, volume + (line * scene.volume.columns + column) * scene.line);
  }
}

// Fills the memory of a thread for a tile: shadows, and a line of zeros.
struct Work {
  int64_t x, y; // first voxel of the tile
  const Shadows *shadows;
  float *line;
};

HWY_INLINE Work work_of (const Scene &scene, int64_t tile, size_t first, size_t views, std::byte *memory)
{
  const auto x = tile % scene.across () * side, y = tile / scene.across () * side;
  auto *shadows = reinterpret_cast<Shadows *> (memory);
  for (size_t v = 0; v < views; v++)
    find_shadows (scene, scene.sights[first + v], x, y, shadows[v]);
  auto *line = reinterpret_cast<float *> (memory + shadow_bytes);
  std::fill_n (line, line_floats (scene), 0.0F);
  return {x, y, shadows, line + margin};
}

void project_tile (const Scene &scene, int64_t tile, size_t first, std::span<float *const> projections,
                   const float *volume, std::byte *memory)
{
  const Floats d;
  const auto [x, y, shadows, line] = work_of (scene, tile, first, projections.size (), memory);
  const auto rows = scene.column, slices = scene.volume.slices;
  visit_lines (scene, x, y, volume, [&] (int64_t i, const float *voxels) HWY_ATTR {
    std::memcpy (line, voxels, static_cast<size_t> (slices) * sizeof (float));
    for (size_t v = 0; v < projections.size (); v++) {
      const auto &all = shadows[v];
      const auto [column, begin, end] = columns_of (all, i, scene.columns);
      if (begin >= end)
        continue;
      const double start = all.start[i], step = all.step[i], height = all.height[i];
      const auto taps = taps_of (height, step);
      float *const bins = projections[v] + column * rows;
      resample (line, -start / step, 1 / step, taps, met (start, step, slices, 0.5 * (1 + height), scene.rows),
                [&] (int64_t row, Vector value) HWY_ATTR {
                  for (int k = begin; k < end; k++) {
                    float *const to = bins + k * rows + row;
                    hn::Store (hn::MulAdd (value, hn::Set (d, all.shares[k][i]), hn::Load (d, to)), d, to);
                  }
                });
    }
  });
}

void back_project_tile (const Scene &scene, int64_t tile, size_t first, std::span<const float *const> projections,
                        float *volume, std::byte *memory)
{
  const Floats d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const auto [x, y, shadows, line] = work_of (scene, tile, first, projections.size (), memory);
  const auto rows = scene.column, slices = scene.volume.slices;
  visit_lines (scene, x, y, volume, [&] (int64_t i, float *voxels) HWY_ATTR {
    for (size_t v = 0; v < projections.size (); v++) {
      const auto &all = shadows[v];
      const auto [column, begin, end] = columns_of (all, i, scene.columns);
      if (begin >= end)
        continue;
      const double start = all.start[i], step = all.step[i], height = all.height[i];
      const double reach = 0.5 * (1 + height);
      const auto met_rows = met (start, step, slices, reach, scene.rows);
      const float *const bins = projections[v] + column * rows;
      for (auto row = met_rows.begin / lanes * lanes; row < met_rows.end; row += lanes) {
        auto sum = hn::Zero (d);
        for (int k = begin; k < end; k++)
          sum = hn::MulAdd (hn::Set (d, all.shares[k][i]), hn::Load (d, bins + k * rows + row), sum);
        hn::StoreU (sum, d, line + row);
      }
      resample (line, start, step, taps_of (height, 1),
                met (-start / step, 1 / step, scene.rows, reach / std::abs (step), slices),
                [&] (int64_t z, Vector value)
                    HWY_ATTR { hn::Store (hn::Add (value, hn::Load (d, voxels + z)), d, voxels + z); });
    }
    std::fill (voxels + slices, voxels + scene.line, 0.0F);
  });
}

void lengthen (const Scene &scene, const Sight &sight, int64_t column, float *bins)
{
  const auto &view = sight.view;
  if (view.parallel)
    return;
  const Floats d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const auto ray = view.corner + (static_cast<double> (column) + 0.5) * view.column + 0.5 * view.row - view.source;
  const double flat = std::hypot (ray.x, ray.y);
  const auto slope = hn::Set (d, static_cast<float> (view.row.z / flat));
  const auto one = hn::Set (d, 1.0F);
  for (int64_t row = 0; row < scene.column; row += lanes) {
    const auto rise =
        hn::MulAdd (hn::Iota (d, static_cast<float> (row)), slope, hn::Set (d, static_cast<float> (ray.z / flat)));
    hn::Store (hn::Mul (hn::Load (d, bins + row), hn::Sqrt (hn::MulAdd (rise, rise, one))), d, bins + row);
  }
}

size_t memory_for (const Scene &scene)
{
  return shadow_bytes + static_cast<size_t> (line_floats (scene)) * sizeof (float);
}

} // namespace sino::footprint::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::footprint {

HWY_EXPORT (project_tile);
HWY_EXPORT (back_project_tile);
HWY_EXPORT (lengthen);
HWY_EXPORT (memory_for);

void project (const Scene &scene, int64_t tile, size_t first, std::span<float *const> projections, const float *volume,
              std::byte *memory)
{
  HWY_DYNAMIC_DISPATCH (project_tile) (scene, tile, first, projections, volume, memory);
}

void back_project (const Scene &scene, int64_t tile, size_t first, std::span<const float *const> projections,
                   float *volume, std::byte *memory)
{
  HWY_DYNAMIC_DISPATCH (back_project_tile) (scene, tile, first, projections, volume, memory);
}

void multiply_lengths (const Scene &scene, const Sight &sight, int64_t column, float *bins)
{
  HWY_DYNAMIC_DISPATCH (lengthen) (scene, sight, column, bins);
}

size_t memory_of_thread (const Scene &scene)
{
  return HWY_DYNAMIC_DISPATCH (memory_for) (scene);
}

} // namespace sino::footprint
#endif
