// SPDX-License-Identifier: LGPL-3.0-or-later
// How a group of sinograms lies in memory, by angles and by ranks.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace sino::remove_stripes {

constexpr int64_t strip = 64; // ranks that lie side by side

// By angles a group is [angle][column], the columns of its sinograms taking turns: of `lanes` neighbouring ones each
// belongs to another. By ranks it is cut into strips, [strip][column][rank].
struct Shape {
  int64_t angles, columns; // of all lanes
  int64_t lanes;

  int64_t strips () const { return (angles + strip - 1) / strip; }
  int64_t width (int64_t s) const { return std::min (strip, angles - s * strip); }
  int64_t place (int64_t s, int64_t column) const { return s * strip * columns + column * width (s); }
};

// Values as integers in the same order, NaN with the sign of a positive number being the greatest; and back.
inline int32_t key_of (float value)
{
  const auto bits = std::bit_cast<int32_t> (value);
  return bits ^ (bits >> 31 & 0x7fffffff);
}
inline float value_of (int32_t key)
{
  return std::bit_cast<float> (key ^ (key >> 31 & 0x7fffffff));
}

// The place in [0, n) that stands for one beyond a border: values are mirrored there, the outermost one comes twice.
inline int64_t mirrored (int64_t i, int64_t n)
{
  const auto turn = (i % (2 * n) + 2 * n) % (2 * n);
  return turn < n ? turn : 2 * n - 1 - turn;
}

} // namespace sino::remove_stripes
