// SPDX-License-Identifier: LGPL-3.0-or-later
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#define HWY_WANT_AVX3_DL 1 // multiplies and adds pairs of 16 bits at once
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cone-back-project/native/tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cone-back-project/native/int16-inl.hpp"
#include "kernels/cone-back-project/native/single-inl.hpp"
#include "kernels/cone-back-project/native/tile.hpp"
#include <algorithm>
#include <cmath>
#include <type_traits>

HWY_BEFORE_NAMESPACE ();
namespace sino::cone_back_project::HWY_NAMESPACE {

// Columns of a tile in small squares, so that neighbours in time are neighbours on the detector.
template <class F> HWY_INLINE void for_each_column (const Tile &tile, bool along_x, F f)
{
  constexpr int square = 4;
  for (int number = 0; number < tile_size * tile_size; number++) {
    const int inside = number % (square * square), whole = number / (square * square);
    const int y = inside / square, x = y % 2 ? square - 1 - inside % square : inside % square;
    const int a = whole % (tile_size / square) * square + x, b = whole / (tile_size / square) * square + y;
    const int dx = along_x ? a : b, dy = along_x ? b : a;
    if (dx < tile.columns && dy < tile.lines)
      f (dx, dy, number);
  }
}

// The next batch comes into the cache meanwhile: some columns of the detector with each column of voxels.
template <class Bin> HWY_INLINE void fetch (const Sight &next, const Bin *views, size_t view, int number)
{
  constexpr int steps = tile_size * tile_size / batch_size; // for a view
  const int i = number / steps;
  const auto *from = views + static_cast<size_t> (i) * view + next.place[i];
  for (int column = number % steps; column < next.columns[i]; column += steps)
    for (int row = 0; row < next.rows[i]; row += 64 / static_cast<int> (sizeof (Bin)))
      __builtin_prefetch (from + column * next.stride + row, 0, 2);
}

// Views of a batch that are added at once: those whose units are above an eighth of `most` and at most that. Integers
// hold the weight of a view, its unit included, as a share of the heaviest one.
struct Turn {
  int batch;
  float most;

  bool has (float unit) const { return unit <= most && unit > most / 8; }
};

HWY_INLINE std::vector<Turn> turns_of (const Views &views)
{
  std::vector<Turn> turns;
  for (int batch = 0; batch < views.count; batch += batch_size) {
    const auto begin = views.units.begin () + batch, end = begin + std::min (batch_size, views.count - batch);
    for (float limit = HUGE_VALF; limit > 0;) {
      float most = 0;
      for (auto unit = begin; unit < end; unit++)
        if (*unit <= limit)
          most = std::max (most, *unit);
      if (most > 0)
        turns.push_back ({batch, most});
      limit = most / 8;
    }
  }
  return turns;
}

template <class Kernel, int Parts>
void add_parts (const Job &job, const Tile &tile, int first_part, const Views &views, float *sums,
                typename Kernel::Bin *lines)
{
  const auto &packing = views.packing;
  const auto *bins = reinterpret_cast<const typename Kernel::Bin *> (views.bins);
  const auto look = [&] (const Turn &turn) {
    const int count = std::min (batch_size, views.count - turn.batch);
    float weights[batch_size];
    for (int i = 0; i < count; i++) {
      const auto number = static_cast<size_t> (turn.batch) + static_cast<size_t> (i); // in the group
      const auto unit = views.units[number];
      const auto &projection = job.projections[static_cast<size_t> (views.first) + number];
      weights[i] = turn.has (unit) ? static_cast<float> (projection.weight) * unit : 0;
    }
    return sight_of (job, packing, tile, views.first + turn.batch, count, weights, Kernel::block);
  };
  Meeting<Parts> meeting;
  const auto turns = turns_of (views);
  Sight next;
  if (!turns.empty ())
    next = look (turns[0]);
  for (size_t n = 0; n < turns.size (); n++) {
    const int batch = turns[n].batch;
    const auto sight = next;
    const bool last = n + 1 == turns.size ();
    const bool more = !last && turns[n + 1].batch == batch + batch_size && views.count - batch >= 2 * batch_size;
    if (!last)
      next = look (turns[n + 1]);
    const auto *from = bins + static_cast<size_t> (batch) * packing.view;
    const int count = std::min (batch_size, views.count - batch);
    // Along the rays neighbours see nearly the same.
    const bool along_x = std::abs (sight.u[1][0]) < std::abs (sight.u[2][0]);
    const auto with_windows_at = [&] (auto align) HWY_ATTR {
      for_each_column (tile, along_x, [&] (int dx, int dy, int number) HWY_ATTR {
        if (more)
          fetch (next, from + batch_size * packing.view, packing.view, number);
        auto *column = sums + (dy * tile_size + dx) * slab_size + first_part * part;
        for (int k = 0; k < Parts; k++)
          __builtin_prefetch (column + k * part, 1);
        meet<Parts, Kernel::block, align> (sight, static_cast<float> (dx), static_cast<float> (dy), first_part,
                                           Kernel::sharpness (sight), meeting);
        Kernel::template add<Parts, align> (from, packing.view, count, sight, meeting, lines, column);
      });
    };
    // Fewer windows then span two lines of the cache.
    if (sight.steepest * (part - 1) + 8 < 30.9F)
      with_windows_at (std::integral_constant<int, 8> ());
    else
      with_windows_at (std::integral_constant<int, 1> ());
  }
}

template <class Kernel>
void add_slices (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *memory)
{
  auto *sums = reinterpret_cast<float *> (memory);
  auto *lines = reinterpret_cast<typename Kernel::Bin *> (memory + sums_size);
  const int begin = static_cast<int> (slices.begin / part), end = static_cast<int> ((slices.end + part - 1) / part);
  for (int column = 0; column < tile_size * tile_size; column++)
    std::fill (sums + column * slab_size + begin * part, sums + column * slab_size + end * part, 0.0F);
  for (int k = begin; k < end;)
    if (k == 0 && end == slab_size / part) {
      add_parts<Kernel, 8> (job, tile, k, views, sums, lines);
      k += 8;
    } else if (k + 4 <= end) {
      add_parts<Kernel, 4> (job, tile, k, views, sums, lines);
      k += 4;
    } else {
      add_parts<Kernel, 1> (job, tile, k, views, sums, lines);
      k += 1;
    }
}

void add_tile (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *memory)
{
  if (views.packing.precision == Precision::single)
    add_slices<Single> (job, tile, slices, views, memory);
  else
    add_slices<Int16> (job, tile, slices, views, memory);
}

size_t line_memory ()
{
  return batch_size * std::max (sizeof (float) * Single::wide_room, sizeof (int16_t) * Int16::wide_room);
}
const char *name ()
{
  return hwy::TargetName (HWY_TARGET);
}

} // namespace sino::cone_back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::cone_back_project {

HWY_EXPORT (add_tile);
HWY_EXPORT (line_memory);
HWY_EXPORT (name);

size_t tile_memory ()
{
  return sums_size + HWY_DYNAMIC_DISPATCH (line_memory) ();
}

void back_project (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *memory)
{
  HWY_DYNAMIC_DISPATCH (add_tile) (job, tile, slices, views, memory);
}

const char *instruction_set ()
{
  return HWY_DYNAMIC_DISPATCH (name) ();
}

} // namespace sino::cone_back_project
#endif
