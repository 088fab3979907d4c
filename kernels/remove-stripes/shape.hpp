// SPDX-License-Identifier: LGPL-3.0-or-later
// Layouts of a group of sinograms in memory, by angles and by ranks.
#pragma once
#include "base/divide-up.hpp"
#include <algorithm>
#include <bit>
#include <cstdint>

namespace sino::remove_stripes {

constexpr int64_t strip = 64; // contiguous ranks

// By angles, a group is [angle][column], where `lanes` neighbouring columns belong to different sinograms. By ranks, it
// is divided into strips, [strip][column][rank].
struct Shape {
  int64_t angles, columns; // number of angles, and of columns of all lanes
  int64_t lanes;

  int64_t strips () const { return divide_up (angles, strip); }
  int64_t width (int64_t s) const { return std::min (strip, angles - s * strip); }
  int64_t place (int64_t s, int64_t column) const { return s * strip * columns + column * width (s); }
};

// Converts values to integers in the same order, where a positive NaN is the greatest; and back.
inline int32_t key_of (float value)
{
  const auto bits = std::bit_cast<int32_t> (value);
  return bits ^ (bits >> 31 & 0x7fffffff);
}
inline float value_of (int32_t key)
{
  return std::bit_cast<float> (key ^ (key >> 31 & 0x7fffffff));
}

// Index in [0, n) of a value beyond a border: values are mirrored there, including the outermost one.
inline int64_t mirrored (int64_t i, int64_t n)
{
  const auto turn = (i % (2 * n) + 2 * n) % (2 * n);
  return turn < n ? turn : 2 * n - 1 - turn;
}

} // namespace sino::remove_stripes
