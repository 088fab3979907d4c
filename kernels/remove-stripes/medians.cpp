// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/remove-stripes/medians.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/remove-stripes/medians.hpp"
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

void medians (const Shape &shape, int64_t s, int64_t lane, int64_t size, const int32_t *from, int32_t *scratch,
              int32_t *to)
{
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

int64_t count_below (const int32_t *keys, int64_t n, int32_t limit)
{
  const hn::ScalableTag<int32_t> d;
  const auto lanes = static_cast<int64_t> (hn::Lanes (d));
  const auto limits = hn::Set (d, limit);
  auto counts = hn::Zero (d);
  int64_t i = 0, below = 0;
  for (; i + lanes <= n; i += lanes)
    counts = hn::Sub (counts, hn::VecFromMask (d, hn::Lt (hn::LoadU (d, keys + i), limits)));
  for (; i < n; i++)
    below += keys[i] < limit;
  return below + hn::GetLane (hn::SumOfLanes (d, counts));
}

// Finds bit by bit the largest number with at most n / 2 keys below it.
int32_t middle (const int32_t *keys, int64_t n)
{
  uint32_t found = 0;
  const auto key = [] (uint32_t bits) { return static_cast<int32_t> (bits ^ 0x80000000u); };
  for (uint32_t bit = 0x80000000u; bit > 0; bit >>= 1)
    if (count_below (keys, n, key (found | bit)) <= n / 2)
      found |= bit;
  return key (found);
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::remove_stripes {

HWY_EXPORT (medians);
HWY_EXPORT (middle);

int32_t middle_of (const int32_t *keys, int64_t n)
{
  return HWY_DYNAMIC_DISPATCH (middle) (keys, n);
}

size_t medians_scratch (int64_t size)
{
  return static_cast<size_t> ((2 * size + 1) * strip) * sizeof (int32_t);
}

void medians_across (const Shape &shape, int64_t s, int64_t lane, int64_t size, const int32_t *from, void *scratch,
                     int32_t *to)
{
  HWY_DYNAMIC_DISPATCH (medians) (shape, s, lane, size, from, static_cast<int32_t *> (scratch), to);
}

} // namespace sino::remove_stripes
#endif
