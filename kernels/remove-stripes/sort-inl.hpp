// SPDX-License-Identifier: LGPL-3.0-or-later
// Sorts many rows of vectors, each lane on its own. Included once per target, inside its translation unit.
#if defined(SINO_REMOVE_STRIPES_SORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_REMOVE_STRIPES_SORT_INL
#undef SINO_REMOVE_STRIPES_SORT_INL
#else
#define SINO_REMOVE_STRIPES_SORT_INL
#endif

#include "base/divide-up.hpp"
#include "kernels/remove-stripes/exchange-inl.hpp"
#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {

constexpr int64_t few = 16; // rows that are sorted in registers

// `n` rows, and those that Columns needs beyond them.
inline int64_t rows_of (int64_t n)
{
  return divide_up (n, few) * few;
}

// Sorts columns side by side, [row][lane]. Runs of 16 rows are sorted in registers, then merged; the exchanges depend
// on the number of rows only. Rows beyond the last one count as infinite. They would never move, so there is no memory
// for them.
template <class T> class Columns
{
public:
  using D = hn::CappedTag<T, 64 / sizeof (T)>;
  static constexpr auto lanes = static_cast<int64_t> (hn::MaxLanes (D ()));

  // `n`: number of rows, a multiple of 16.
  Columns (T *memory, int64_t n) : rows (memory), end (n) {}

  void sort () const { sort (0, power_of_two ()); }
  // For rows that fall and then rise.
  void sort_valley () const { finish (0, power_of_two ()); }

private:
  using V = hn::Vec<D>;
  static constexpr T infinite =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity () : std::numeric_limits<T>::max ();

  T *const rows;
  const int64_t end;

  int64_t power_of_two () const { return static_cast<int64_t> (std::bit_ceil (static_cast<uint64_t> (end))); }

  // Rows first, first + step, ... below the end; others are infinite.
  template <int N, bool ALL> HWY_INLINE void load (int64_t first, int64_t step, V *values) const
  {
#pragma GCC unroll 16
    for (int i = 0; i < N; i++)
      values[i] = ALL || first + i * step < end ? hn::LoadU (D (), rows + (first + i * step) * lanes)
                                                : hn::Set (D (), infinite);
  }
  template <int N, bool ALL> HWY_INLINE void store (const V *values, int64_t first, int64_t step) const
  {
#pragma GCC unroll 16
    for (int i = 0; i < N; i++)
      if (ALL || first + i * step < end)
        hn::StoreU (values[i], D (), rows + (first + i * step) * lanes);
  }

  // `size`: a power of two. A half is finished before the other one, so that both stay in the nearest cache.
  void sort (int64_t first, int64_t size) const
  {
    if (first >= end)
      return;
    if (size == few) {
      V values[few];
      load<few, true> (first, 1, values);
      sort_few<few> (values);
      return store<few, true> (values, first, 1);
    }
    const auto half = size / 2;
    sort (first, half);
    sort (first + half, half);
    if (first + half >= end)
      return;
    if (size == 2 * few)
      merge<1> (first, size);
    else if (size == 4 * few)
      merge<2> (first, size);
    else
      merge<4> (first, size);
  }

  // Merges two sorted halves: exchanges rows that are as far from the beginning as from the end, so that either half
  // falls and rises (or the reverse), and its parts of size / 2 N rows do so after further exchanges.
  template <int N> void merge (int64_t first, int64_t size) const
  {
    const auto step = size / 2 / N;
    for (int64_t i = 0; i < step; i += few)
      if (first + size - i <= end)
        merge_rows<N, true> (first, size, i);
      else
        merge_rows<N, false> (first, size, i);
    for (int64_t part = 0; part < size; part += step)
      finish (first + part, step);
  }
  template <int N, bool ALL> HWY_INLINE void merge_rows (int64_t first, int64_t size, int64_t begin) const
  {
    const auto step = size / 2 / N;
    for (auto i = begin; i < begin + few; i++) {
      const auto lower = first + i, upper = first + size / 2 + step - 1 - i;
      V a[N], b[N];
      load<N, true> (lower, step, a);
      load<N, ALL> (upper, step, b);
#pragma GCC unroll 4
      for (int j = 0; j < N; j++)
        exchange (a[j], b[N - 1 - j]);
      sort_bitonic<N> (a);
      sort_bitonic<N> (b);
      store<N, true> (a, lower, step);
      store<N, ALL> (b, upper, step);
    }
  }

  // Sorts rows that fall and rise, or the reverse.
  void finish (int64_t first, int64_t size) const
  {
    if (first >= end)
      return;
    if (size == few) {
      V values[few];
      load<few, true> (first, 1, values);
      sort_bitonic<few> (values);
      return store<few, true> (values, first, 1);
    }
    if (size == 2 * few)
      divide<2> (first, size);
    else if (size == 4 * few)
      divide<4> (first, size);
    else
      divide<8> (first, size);
  }
  template <int N> void divide (int64_t first, int64_t size) const
  {
    const auto step = size / N;
    const auto some = [&]<bool ALL> (int64_t begin) HWY_ATTR {
      for (auto i = begin; i < begin + few; i++) {
        V values[N];
        load<N, ALL> (first + i, step, values);
        sort_bitonic<N> (values);
        store<N, ALL> (values, first + i, step);
      }
    };
    for (int64_t i = 0; i < step; i += few)
      if (first + i + (N - 1) * step < end)
        some.template operator()<true> (i);
      else
        some.template operator()<false> (i);
    for (int64_t part = 0; part < size; part += step)
      finish (first + part, step);
  }
};

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
