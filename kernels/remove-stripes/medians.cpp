// SPDX-License-Identifier: LGPL-3.0-or-later
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets; vectors without a fixed size have no arrays
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/remove-stripes/medians.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/remove-stripes/exchange-inl.hpp"
#include "kernels/remove-stripes/medians.hpp"
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sizes of windows for which tiles are faster than a window that slides.
constexpr int64_t least_of_tiles = 17, most_of_tiles = 159;

// A sorted window, [place][rank], for each rank of a strip. Replaces one column by another in a single pass through the
// window.
class Window
{
public:
  Window (int32_t *memory, int64_t n) : sorted (memory), size (n)
  {
    std::fill_n (sorted, size * strip, std::numeric_limits<int32_t>::max ());
  }

  // Only for a window that is not full: its remaining keys are the largest possible.
  void add (const int32_t *come)
  {
    each ([&] (int64_t v) HWY_ATTR {
      const hn::CappedTag<int32_t, strip> d;
      const auto in = hn::LoadU (d, come + v);
      auto before = hn::Set (d, std::numeric_limits<int32_t>::min ());
      for (int64_t k = 0; k < size; k++) {
        auto *at = sorted + k * strip + v;
        const auto here = hn::LoadU (d, at);
        hn::StoreU (hn::Max (before, hn::Min (here, in)), d, at);
        before = here;
      }
    });
  }

  void exchange (const int32_t *gone, const int32_t *come)
  {
    each ([&] (int64_t v) HWY_ATTR {
      const hn::CappedTag<int32_t, strip> d;
      const auto out = hn::LoadU (d, gone + v), in = hn::LoadU (d, come + v);
      auto before = hn::Set (d, std::numeric_limits<int32_t>::min ());
      auto here = hn::LoadU (d, sorted + v);
      for (int64_t k = 0; k + 1 < size; k++) {
        auto *at = sorted + k * strip + v;
        const auto next = hn::LoadU (d, at + strip);
        const auto kept = hn::IfThenElse (hn::Lt (here, out), here, next); // the window without the old column
        hn::StoreU (hn::Max (before, hn::Min (kept, in)), d, at);
        before = kept;
        here = next;
      }
      hn::StoreU (hn::Max (before, in), d, sorted + (size - 1) * strip + v);
    });
  }

  const int32_t *median () const { return sorted + size / 2 * strip; }

private:
  int32_t *sorted;
  const int64_t size;

  template <class Body> HWY_INLINE void each (Body body) const
  {
    for (int64_t v = 0; v < strip; v += static_cast<int64_t> (hn::Lanes (hn::CappedTag<int32_t, strip> ())))
      body (v);
  }
};

// The usual sizes. 16 neighbouring windows share all columns but 15 on either side. Those that they share are sorted
// once, and the windows halved again and again: each half takes the columns that its own windows share. A value of the
// shared ones can be the median only if no more values are missing than it is away from the middle, so only the middle
// ones are kept, as many as there are windows (as in A. Adams, Fast median filters using separable sorting networks,
// ACM Trans. Graphics 40, 2021, 70).
class Tile
{
public:
  static constexpr int windows = 16;
  using Block = int32_t[windows][strip]; // sorted keys of 16 columns, [place][rank]

  static int64_t blocks_of (int64_t size) { return (size - windows + 1) / windows; }

  // `near`: the columns of all windows, the first window's first. `blocks`: those that the windows share, in sorted
  // runs of 16 columns, as far as they fill runs; run b is at (oldest + b) % blocks_of (size). `list`: memory for them.
  Tile (const int32_t *const *n, int64_t s, Block *b, int64_t o, int32_t *l)
      : near (n), size (s), count (blocks_of (s)), blocks (b), oldest (o), list (l)
  {
  }

  // Sorts run `block`.
  void sort_block (int64_t block) const
  {
    each ([&] (int64_t v) HWY_ATTR {
      V keys[windows];
      load<windows> (near + windows - 1 + block * windows, v, keys);
      sort_few<windows> (keys);
      store (keys, (blocks[(oldest + block) % count])[0] + v);
    });
  }

  // Writes the medians of all windows, [window][rank].
  void medians (int32_t *to) const
  {
    each ([&] (int64_t v) HWY_ATTR {
      V middle[windows];
      shared_middle (v, middle);
      halve<windows> (middle, 0, v, to);
    });
  }

private:
  using D = hn::CappedTag<int32_t, strip>;
  using V = hn::Vec<D>;

  const int32_t *const *near;
  const int64_t size, count;
  Block *blocks;
  const int64_t oldest;
  int32_t *list;

  template <class Body> HWY_INLINE void each (Body body) const
  {
    for (int64_t v = 0; v < strip; v += static_cast<int64_t> (hn::Lanes (D ())))
      body (v);
  }

  template <int N> static HWY_INLINE void load (const int32_t *const *columns, int64_t v, V *keys)
  {
#pragma GCC unroll 16
    for (int i = 0; i < N; i++)
      keys[i] = hn::LoadU (D (), columns[i] + v);
  }
  static HWY_INLINE void load (const int32_t *from, V *keys)
  {
#pragma GCC unroll 16
    for (int i = 0; i < windows; i++)
      keys[i] = hn::LoadU (D (), from + i * strip);
  }
  static HWY_INLINE void store (const V *keys, int32_t *to)
  {
#pragma GCC unroll 16
    for (int i = 0; i < windows; i++)
      hn::StoreU (keys[i], D (), to + i * strip);
  }

  // Merges the sorted `come` into the sorted list of `runs` times 16 keys.
  HWY_INLINE void insert (V *come, int64_t runs) const
  {
    for (int64_t run = 0; run < runs; run++) {
      V lower[windows], upper[windows];
      load (list + run * windows * strip, lower);
#pragma GCC unroll 16
      for (int i = 0; i < windows; i++) {
        upper[i] = hn::Max (lower[i], come[windows - 1 - i]);
        lower[i] = hn::Min (lower[i], come[windows - 1 - i]);
      }
      sort_bitonic<windows> (lower);
      store (lower, list + run * windows * strip);
      sort_bitonic<windows> (upper);
#pragma GCC unroll 16
      for (int i = 0; i < windows; i++)
        come[i] = upper[i];
    }
    store (come, list + runs * windows * strip);
  }

  // The middle 2 HALF sorted keys of more, and HALF others, which are sorted: gives the middle HALF of all.
  template <int HALF> static HWY_INLINE void middle_of_both (const V *keys, const V *others, V *middle)
  {
    V upper[HALF];
#pragma GCC unroll 16
    for (int i = 0; i < HALF; i++)
      upper[i] = hn::Max (keys[i], others[HALF - 1 - i]);
    sort_bitonic<HALF> (upper);
#pragma GCC unroll 16
    for (int i = 0; i < HALF; i++)
      middle[i] = hn::Min (upper[i], keys[2 * HALF - 1 - i]);
    sort_bitonic<HALF> (middle);
  }

  // The middle 16 keys of the columns that all windows share. Places that they do not fill get as many of the smallest
  // as of the largest keys, which leave the middle where it is.
  HWY_INLINE void shared_middle (int64_t v, V *middle) const
  {
    const D d;
    const auto least = hn::Set (d, std::numeric_limits<int32_t>::min ()),
               most = hn::Set (d, std::numeric_limits<int32_t>::max ());
    for (int64_t b = 0; b < count; b++) {
      load (blocks[(oldest + b) % count][0] + v, middle);
      insert (middle, b);
    }
    const auto first = windows - 1 + count * windows, rest = size - first; // an even number
    if (rest == 0)
      return load (list + (count - 1) * windows / 2 * strip, middle);
    V others[windows];
#pragma GCC unroll 16
    for (int i = 0; i < windows; i++) {
      const auto column = i - (windows - rest) / 2;
      others[i] = column < 0 ? least : column >= rest ? most : hn::LoadU (d, near[first + column] + v);
    }
    if (rest <= windows / 2)
      sort_few<windows / 2> (others + windows / 4);
    else
      sort_few<windows> (others);
    if (count == 0) {
#pragma GCC unroll 16
      for (int i = 0; i < windows; i++)
        middle[i] = others[i];
      return;
    }
    V keys[2 * windows];
#pragma GCC unroll 32
    for (int i = 0; i < 2 * windows; i++) {
      const auto place = (count - 2) * windows / 2 + i;
      keys[i] = place < 0 ? least : place >= count * windows ? most : hn::LoadU (d, list + place * strip);
    }
    middle_of_both<windows> (keys, others, middle);
  }

  // Windows `first` to `first` + N share columns of which `middle` has the middle N keys.
  template <int N> HWY_INLINE void halve (const V *middle, int64_t first, int64_t v, int32_t *to) const
  {
    if constexpr (N == 1)
      hn::StoreU (middle[0], D (), to + first * strip + v);
    else {
      constexpr int half = N / 2;
      V others[half], kept[half];
      load<half> (near + first + half - 1, v, others);
      sort_few<half> (others);
      middle_of_both<half> (middle, others, kept);
      halve<half> (kept, first, v, to);
      load<half> (near + first + size, v, others);
      sort_few<half> (others);
      middle_of_both<half> (middle, others, kept);
      halve<half> (kept, first + half, v, to);
    }
  }
};

void medians_of_tiles (const Shape &shape, int64_t s, int64_t lane, int64_t size, const int32_t *from, int32_t *scratch,
                       int32_t *to)
{
  constexpr int64_t windows = Tile::windows;
  const auto columns = shape.columns / shape.lanes, reach = size / 2, width = shape.width (s),
             count = Tile::blocks_of (size);
  // Copies of columns, because `to` may have overwritten them.
  const auto kept = size + 2 * windows;
  int32_t *const copies = scratch, *const list = copies + kept * strip,
                 *const medians = list + (count + 1) * windows * strip;
  auto *const blocks = reinterpret_cast<Tile::Block *> (medians + windows * strip);
  const auto at = [&] (int64_t column) { return shape.place (s, column * shape.lanes + lane); };
  int64_t loaded = 0;
  const int32_t *near[most_of_tiles + windows];
  for (int64_t tile = 0; tile * windows < columns; tile++) {
    const auto first = tile * windows;
    for (; loaded < std::min (first + windows + reach, columns); loaded++) {
      if (loaded + windows < columns)
        for (int64_t line = 0; line < width; line += 16)
          hwy::Prefetch (from + at (loaded + windows) + line);
      std::copy_n (from + at (loaded), width, copies + loaded % kept * strip);
    }
    for (int64_t i = 0; i < size + windows - 1; i++)
      near[i] = copies + mirrored (first - reach + i, columns) % kept * strip;
    const Tile now (near, size, blocks, tile, list);
    for (auto block = tile == 0 ? 0 : std::max<int64_t> (count - 1, 0); block < count; block++)
      now.sort_block (block);
    now.medians (medians);
    for (int64_t i = 0; i < std::min (windows, columns - first); i++)
      std::copy_n (medians + i * strip, width, to + at (first + i));
  }
}

void medians (const Shape &shape, int64_t s, int64_t lane, int64_t size, const int32_t *from, int32_t *scratch,
              int32_t *to)
{
  if (size >= least_of_tiles && size <= most_of_tiles)
    return medians_of_tiles (shape, s, lane, size, from, scratch, to);
  const auto columns = shape.columns / shape.lanes, reach = size / 2, kept = size + 1, width = shape.width (s);
  // Copies of the columns in the window and of the next one, because `to` may have overwritten them.
  int32_t *const window_memory = scratch, *const near = scratch + size * strip;
  Window window (window_memory, size);
  const auto at = [&] (int64_t column) { return shape.place (s, mirrored (column, columns) * shape.lanes + lane); };
  const auto slot = [&] (int64_t column) { return near + mirrored (column, columns) % kept * strip; };
  int64_t loaded = 0;
  const auto load = [&] (int64_t column) {
    for (; loaded <= std::min (column, columns - 1); loaded++)
      std::copy_n (from + at (loaded), width, slot (loaded));
  };
  load (reach);
  for (int64_t column = -reach; column <= reach; column++)
    window.add (slot (column));
  for (int64_t column = 0; column < columns; column++) {
    std::copy_n (window.median (), width, to + at (column));
    load (column + 1 + reach);
    window.exchange (slot (column - reach), slot (column + 1 + reach));
  }
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::remove_stripes {

HWY_EXPORT (medians);

size_t medians_scratch (int64_t size)
{
  // Copies of columns, and one of: the sorted window; sorted runs twice and medians of a tile.
  return static_cast<size_t> ((size + 32 + std::max<int64_t> (size, 2 * size + 32)) * strip) * sizeof (int32_t);
}

void medians_across (const Shape &shape, int64_t s, int64_t lane, int64_t size, const int32_t *from, void *scratch,
                     int32_t *to)
{
  HWY_DYNAMIC_DISPATCH (medians) (shape, s, lane, size, from, static_cast<int32_t *> (scratch), to);
}

} // namespace sino::remove_stripes
#endif
