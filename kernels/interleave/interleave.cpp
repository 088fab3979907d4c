// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/interleave/interleave.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/constants.hpp"
#include "kernels/interleave/interleave.hpp"
#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE ();
namespace sino::interleave::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class T, size_t Lanes> int64_t vectors_of (const std::byte *const *, int64_t, T *, bool)
{
  return 0;
}
template <size_t Lanes> int64_t vectors_apart (const float *, int64_t, float *const *, bool)
{
  return 0;
}
#else

// 16-byte vectors: wider ones also shuffle within 16 bytes, and memory is slower than this.
template <class T> using Tag = hn::FixedTag<T, 16 / sizeof (T)>;

// Zipping the two halves of v[0..N) rotates the index bits of its values by one, where the vector's number is the upper
// bits. After log2 (Times) zips, that many upper bits have become the lowest ones.
template <class T, size_t Times, size_t N> HWY_INLINE void zip (hn::Vec<Tag<T>> (&v)[N])
{
  if constexpr (Times > 1) {
    const Tag<T> tag;
    hn::Vec<Tag<T>> zipped[N];
    for (size_t i = 0; i < N / 2; i++) {
      zipped[2 * i] = hn::InterleaveLower (tag, v[i], v[i + N / 2]);
      zipped[2 * i + 1] = hn::InterleaveUpper (tag, v[i], v[i + N / 2]);
    }
    for (size_t i = 0; i < N; i++)
      v[i] = zipped[i];
    zip<T, Times / 2> (v);
  }
}

// Writes bypassing the caches: the data is not read soon, and lines need not be fetched before they are overwritten.
HWY_INLINE void stream (const std::byte *from, size_t bytes, std::byte *to)
{
  const hn::ScalableTag<uint8_t> tag;
  for (size_t i = 0; i < bytes; i += hn::Lanes (tag))
    hn::Stream (hn::Load (tag, reinterpret_cast<const uint8_t *> (from) + i), tag,
                reinterpret_cast<uint8_t *> (to) + i);
}

// Interleaves the columns that fill vectors; returns the first remaining column.
template <class T, size_t Lanes> int64_t vectors_of (const std::byte *const *rows, int64_t columns, T *out, bool far)
{
  constexpr size_t at_once = 16 / sizeof (T);                 // columns: a vector of each row
  constexpr size_t group = Lanes < at_once ? Lanes : at_once; // rows in one vector of the result
  constexpr size_t step = Lanes == group ? at_once : Lanes;   // distance between vectors of a group's result
  // Processes a cache line of each row of a group before the next group: rows are often a power of two apart, so more
  // than a few of their lines evict each other from the nearest cache.
  constexpr int64_t chunk = 64 / sizeof (T);
  const Tag<T> tag;
  const int64_t end = columns / at_once * at_once;
  alignas (64) T near[static_cast<size_t> (chunk) * Lanes];
  far = far && reinterpret_cast<uintptr_t> (out) % 64 == 0;
  for (int64_t begin = 0; begin < end; begin += chunk) {
    const bool streamed = far && begin + chunk <= end;
    T *const to = streamed ? near : out + static_cast<size_t> (begin) * Lanes;
    for (size_t first = 0; first < Lanes; first += group)
      for (int64_t c = begin; c < std::min (begin + chunk, end); c += at_once) {
        hn::Vec<Tag<T>> v[group];
        for (size_t i = 0; i < group; i++)
          v[i] = hn::LoadU (tag, reinterpret_cast<const T *> (rows[first + i]) + c);
        zip<T, group> (v);
        for (size_t i = 0; i < group; i++)
          hn::StoreU (v[i], tag, to + static_cast<size_t> (c - begin) * Lanes + first + i * step);
      }
    if (streamed)
      stream (reinterpret_cast<const std::byte *> (near), sizeof near,
              reinterpret_cast<std::byte *> (out + static_cast<size_t> (begin) * Lanes));
  }
  if (far)
    hwy::FlushStream ();
  return end;
}

// Columns [begin, end) in whole vectors; the result's indices count from `begin`.
template <size_t Lanes> HWY_INLINE void columns_apart (const float *in, int64_t begin, int64_t end, float *const *rows)
{
  constexpr size_t at_once = 4;
  constexpr size_t group = Lanes < at_once ? Lanes : at_once;
  constexpr size_t step = Lanes == group ? at_once : Lanes;
  const Tag<float> tag;
  for (int64_t c = begin; c < end; c += at_once)
    for (size_t first = 0; first < Lanes; first += group) {
      hn::Vec<Tag<float>> v[group];
      for (size_t i = 0; i < group; i++)
        v[i] = hn::LoadU (tag, in + static_cast<size_t> (c) * Lanes + first + i * step);
      zip<float, at_once> (v);
      for (size_t i = 0; i < group; i++)
        hn::StoreU (v[i], tag, rows[first + i] + c - begin);
    }
}

template <size_t Lanes> int64_t vectors_apart (const float *in, int64_t columns, float *const *rows, bool far)
{
  const int64_t end = columns / 4 * 4;
  for (size_t lane = 0; lane < Lanes; lane++)
    far = far && reinterpret_cast<uintptr_t> (rows[lane]) % 64 == 0;
  constexpr int64_t chunk = 16; // a cache line of each row
  int64_t begin = 0;
  if (far) {
    alignas (64) float near[Lanes][chunk];
    float *to[Lanes];
    for (size_t lane = 0; lane < Lanes; lane++)
      to[lane] = near[lane];
    for (; begin + chunk <= end; begin += chunk) {
      columns_apart<Lanes> (in, begin, begin + chunk, to);
      for (size_t lane = 0; lane < Lanes; lane++)
        stream (reinterpret_cast<const std::byte *> (near[lane]), sizeof near[lane],
                reinterpret_cast<std::byte *> (rows[lane] + begin));
    }
    hwy::FlushStream ();
  }
  float *left[Lanes];
  for (size_t lane = 0; lane < Lanes; lane++)
    left[lane] = rows[lane] + begin;
  columns_apart<Lanes> (in, begin, end, left);
  return end;
}
#endif

template <class T, size_t Lanes>
void rows_of (const std::byte *const *rows, int64_t columns, std::byte *out_bytes, bool far)
{
  if constexpr (Lanes == 1) {
    std::memcpy (out_bytes, rows[0], static_cast<size_t> (columns) * sizeof (T));
  } else {
    auto *out = reinterpret_cast<T *> (out_bytes);
    for (int64_t c = vectors_of<T, Lanes> (rows, columns, out, far); c < columns; c++)
      for (size_t lane = 0; lane < Lanes; lane++)
        out[static_cast<size_t> (c) * Lanes + lane] = reinterpret_cast<const T *> (rows[lane])[c];
  }
}

template <size_t Lanes> void apart_of (const float *in, int64_t columns, float *const *rows, bool far)
{
  if constexpr (Lanes == 1) {
    std::copy (in, in + columns, rows[0]);
  } else {
    for (int64_t c = vectors_apart<Lanes> (in, columns, rows, far); c < columns; c++)
      for (size_t lane = 0; lane < Lanes; lane++)
        rows[lane][c] = in[static_cast<size_t> (c) * Lanes + lane];
  }
}

void together (size_t element_size, int lanes, const std::byte *const *rows, int64_t columns, std::byte *out, bool far)
{
  kernels::with_lanes (lanes, [&] (auto n) {
    if (element_size == 1)
      rows_of<uint8_t, n> (rows, columns, out, far);
    else if (element_size == 2)
      rows_of<uint16_t, n> (rows, columns, out, far);
    else
      rows_of<uint32_t, n> (rows, columns, out, far);
  });
}

void apart (int lanes, const float *in, int64_t columns, float *const *rows, bool far)
{
  kernels::with_lanes (lanes, [&] (auto n) { apart_of<n> (in, columns, rows, far); });
}

} // namespace sino::interleave::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::interleave {

HWY_EXPORT (together);
HWY_EXPORT (apart);

void interleave (size_t element_size, int lanes, const std::byte *const *rows, int64_t columns, std::byte *out,
                 bool far)
{
  HWY_DYNAMIC_DISPATCH (together) (element_size, lanes, rows, columns, out, far);
}

void take_apart (int lanes, const float *in, int64_t columns, float *const *rows, bool far)
{
  HWY_DYNAMIC_DISPATCH (apart) (lanes, in, columns, rows, far);
}

} // namespace sino::interleave
#endif
