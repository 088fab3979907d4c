// SPDX-License-Identifier: LGPL-3.0-or-later
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets; vectors without a fixed size have no arrays
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/remove-stripes/differences.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/remove-stripes/differences.hpp"
#include "kernels/remove-stripes/keys-inl.hpp"
#include "kernels/remove-stripes/sort-inl.hpp"
#include "kernels/remove-stripes/transpose-inl.hpp"
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Keys = Columns<int32_t>;
constexpr Keys::D tag;
using Floats = hn::Rebind<float, Keys::D>;

size_t differences_bytes (int64_t angles)
{
  return static_cast<size_t> ((rows_of (angles) + 2 * strip) * Keys::lanes) * sizeof (int32_t);
}

HWY_INLINE hn::Vec<Floats> load_values (const int32_t *keys)
{
  return values_of (tag, hn::LoadU (tag, keys));
}

// Writes the keys of the differences of up to `lanes` columns, [angle][column].
void subtract (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *others, int64_t other,
               int64_t n, int32_t *rows, int32_t *scratch)
{
  constexpr auto lanes = Keys::lanes;
  auto *const mine = scratch, *const theirs = scratch + strip * lanes;
  for (int64_t s = 0; s < shape.strips (); s++) {
    const auto width = shape.width (s);
    transpose (strips + shape.place (s, column), width, n, width, mine, lanes);
    transpose (others + shape.place (s, other), width, n, width, theirs, lanes);
    for (int64_t r = 0; r < width; r++)
      hn::StoreU (keys_of (tag, hn::Sub (load_values (mine + r * lanes), load_values (theirs + r * lanes))), tag,
                  rows + (s * strip + r) * lanes);
  }
}

void median_differences (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *others,
                         int64_t other, int64_t n, void *scratch, float *medians, double *errors)
{
  constexpr auto lanes = Keys::lanes;
  const auto angles = shape.angles;
  auto *const rows = static_cast<int32_t *> (scratch), *const rest = rows + rows_of (angles) * lanes;
  std::fill_n (rest, 2 * strip * lanes, 0); // for lanes without a column
  const Keys keys (rows, rows_of (angles));
  const auto *const middle = rows + angles / 2 * lanes;
  float found[lanes];
  for (int64_t first = 0; first < n; first += lanes) {
    const auto used = std::min (lanes, n - first);
    subtract (shape, strips, column + first, others, other + first, used, rows, rest);
    std::fill (rows + angles * lanes, rest, std::numeric_limits<int32_t>::max ());
    keys.sort ();
    const auto median = load_values (middle);
    hn::StoreU (median, Floats (), found);
    std::copy_n (found, used, medians + first);
    if (!errors)
      continue;
    // In the order of the differences, deviations fall and then rise.
    for (int64_t a = 0; a < angles; a++)
      hn::StoreU (keys_of (tag, hn::Abs (hn::Sub (load_values (rows + a * lanes), median))), tag, rows + a * lanes);
    keys.sort_valley ();
    hn::StoreU (load_values (middle), Floats (), found);
    // A normal distribution's standard deviation is 1.4826 times the median deviation; its median errs by 1.2533 / sqrt
    // (n) of it.
    for (int64_t c = 0; c < used; c++)
      errors[first + c] = 1.4826 * 1.2533 * static_cast<double> (found[c]) / std::sqrt (static_cast<double> (angles));
  }
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::remove_stripes {

HWY_EXPORT (differences_bytes);
HWY_EXPORT (median_differences);

size_t differences_scratch (int64_t angles)
{
  return HWY_DYNAMIC_DISPATCH (differences_bytes) (angles);
}

void median_differences (const Shape &shape, const int32_t *strips, int64_t column, const int32_t *others,
                         int64_t other, int64_t n, void *scratch, float *medians, double *errors)
{
  HWY_DYNAMIC_DISPATCH (median_differences) (shape, strips, column, others, other, n, scratch, medians, errors);
}

} // namespace sino::remove_stripes
#endif
