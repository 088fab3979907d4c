// SPDX-License-Identifier: LGPL-3.0-or-later
// Transposes values of four bytes. Included once per target, inside its translation unit.
#if defined(SINO_REMOVE_STRIPES_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_REMOVE_STRIPES_TRANSPOSE_INL
#undef SINO_REMOVE_STRIPES_TRANSPOSE_INL
#else
#define SINO_REMOVE_STRIPES_TRANSPOSE_INL
#endif

#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
// Four lines of four values.
template <class T> HWY_INLINE void transpose_four (const T *from, int64_t pitch, T *to, int64_t to_pitch)
{
  const hn::FixedTag<T, 4> d;
  const hn::FixedTag<uint64_t, 2> pairs;
  const auto a = hn::LoadU (d, from), b = hn::LoadU (d, from + pitch), c = hn::LoadU (d, from + 2 * pitch),
             e = hn::LoadU (d, from + 3 * pitch);
  const auto ab = hn::BitCast (pairs, hn::InterleaveLower (d, a, b)),
             ab2 = hn::BitCast (pairs, hn::InterleaveUpper (d, a, b));
  const auto ce = hn::BitCast (pairs, hn::InterleaveLower (d, c, e)),
             ce2 = hn::BitCast (pairs, hn::InterleaveUpper (d, c, e));
  hn::StoreU (hn::BitCast (d, hn::InterleaveLower (pairs, ab, ce)), d, to);
  hn::StoreU (hn::BitCast (d, hn::InterleaveUpper (pairs, ab, ce)), d, to + to_pitch);
  hn::StoreU (hn::BitCast (d, hn::InterleaveLower (pairs, ab2, ce2)), d, to + 2 * to_pitch);
  hn::StoreU (hn::BitCast (d, hn::InterleaveUpper (pairs, ab2, ce2)), d, to + 3 * to_pitch);
}
#endif

// Value i of line j becomes value j of line i. Pitches are distances of lines.
template <class T> void transpose (const T *from, int64_t pitch, int64_t lines, int64_t values, T *to, int64_t to_pitch)
{
  int64_t whole_lines = 0, whole_values = 0;
#if HWY_TARGET != HWY_SCALAR
  whole_lines = lines / 4 * 4, whole_values = values / 4 * 4;
  for (int64_t i = 0; i < whole_values; i += 4)
    for (int64_t j = 0; j < whole_lines; j += 4)
      transpose_four (from + j * pitch + i, pitch, to + i * to_pitch + j, to_pitch);
#endif
  for (int64_t i = 0; i < values; i++)
    for (auto j = i < whole_values ? whole_lines : 0; j < lines; j++)
      to[i * to_pitch + j] = from[j * pitch + i];
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
