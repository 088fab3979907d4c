// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interleave/interleave.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "interleave/interleave.hpp"
#include <cstring>

HWY_BEFORE_NAMESPACE ();
namespace sino::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class T, size_t Lanes> int64_t vectors_of (const std::byte *const *, int64_t, T *)
{
  return 0;
}
#else

// 16-byte vectors: wider ones shuffle within 16 bytes as well, and memory is slower than this.
template <class T> using Tag = hn::FixedTag<T, 16 / sizeof (T)>;

// One zip of the two halves of v[0..N) rotates the index bits (row, column) by one; after log2 (N) of them
// the rows have become the inner index.
template <class T, size_t N, size_t Left = N> HWY_INLINE void zip (hn::Vec<Tag<T>> (&v)[N])
{
  if constexpr (Left > 1) {
    const Tag<T> tag;
    hn::Vec<Tag<T>> zipped[N];
    for (size_t i = 0; i < N / 2; i++) {
      zipped[2 * i] = hn::InterleaveLower (tag, v[i], v[i + N / 2]);
      zipped[2 * i + 1] = hn::InterleaveUpper (tag, v[i], v[i + N / 2]);
    }
    for (size_t i = 0; i < N; i++)
      v[i] = zipped[i];
    zip<T, N, Left / 2> (v);
  }
}

// The columns that fill vectors; returns the first that is left.
template <class T, size_t Lanes> int64_t vectors_of (const std::byte *const *rows, int64_t columns, T *out)
{
  constexpr size_t at_once = 16 / sizeof (T);                 // columns, a vector of each row
  constexpr size_t group = Lanes < at_once ? Lanes : at_once; // rows that one vector of the result mixes
  constexpr size_t step = Lanes == group ? at_once : Lanes;   // from one vector of a group's result to the next
  const Tag<T> tag;
  int64_t c = 0;
  for (; c + static_cast<int64_t> (at_once) <= columns; c += at_once)
    for (size_t first = 0; first < Lanes; first += group) {
      hn::Vec<Tag<T>> v[group];
      for (size_t i = 0; i < group; i++)
        v[i] = hn::LoadU (tag, reinterpret_cast<const T *> (rows[first + i]) + c);
      zip<T> (v);
      for (size_t i = 0; i < group; i++)
        hn::StoreU (v[i], tag, out + static_cast<size_t> (c) * Lanes + first + i * step);
    }
  return c;
}
#endif

template <class T, size_t Lanes> void rows_of (const std::byte *const *rows, int64_t columns, std::byte *out_bytes)
{
  if constexpr (Lanes == 1) {
    std::memcpy (out_bytes, rows[0], static_cast<size_t> (columns) * sizeof (T));
  } else {
    auto *out = reinterpret_cast<T *> (out_bytes);
    for (int64_t c = vectors_of<T, Lanes> (rows, columns, out); c < columns; c++)
      for (size_t lane = 0; lane < Lanes; lane++)
        out[static_cast<size_t> (c) * Lanes + lane] = reinterpret_cast<const T *> (rows[lane])[c];
  }
}

template <class T> void any_lanes (int lanes, const std::byte *const *rows, int64_t columns, std::byte *out)
{
  switch (lanes) {
  case 1:
    return rows_of<T, 1> (rows, columns, out);
  case 2:
    return rows_of<T, 2> (rows, columns, out);
  case 4:
    return rows_of<T, 4> (rows, columns, out);
  case 8:
    return rows_of<T, 8> (rows, columns, out);
  case 16:
    return rows_of<T, 16> (rows, columns, out);
  default:
    return rows_of<T, 32> (rows, columns, out);
  }
}

void all (size_t element_size, int lanes, const std::byte *const *rows, int64_t columns, std::byte *out)
{
  if (element_size == 1)
    any_lanes<uint8_t> (lanes, rows, columns, out);
  else if (element_size == 2)
    any_lanes<uint16_t> (lanes, rows, columns, out);
  else
    any_lanes<uint32_t> (lanes, rows, columns, out);
}

} // namespace sino::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::kernels {

HWY_EXPORT (all);

void interleave (size_t element_size, int lanes, const std::byte *const *rows, int64_t columns, std::byte *out)
{
  HWY_DYNAMIC_DISPATCH (all) (element_size, lanes, rows, columns, out);
}

} // namespace sino::kernels
#endif
