// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/transposed.hpp"
#include <algorithm>

namespace sino::move_pixels {

namespace {

// Reads a cache line from each of 64 rows at once, because cache lines of rows at a distance of a power of two evict
// each other.
template <class Value> void turn (const Picture &in, int64_t width, Rows rows, std::byte *out)
{
  constexpr int64_t line = 64 / sizeof (Value), most = 64;
  const auto *values = reinterpret_cast<const Value *> (in.data);
  auto *turned = reinterpret_cast<Value *> (out);
  Value some[line][most];
  for (auto row = rows.begin; row < rows.end; row += line)
    for (int64_t column = 0; column < width; column += most) {
      const auto n = std::min (line, rows.end - row), count = std::min (most, width - column);
      for (int64_t c = 0; c < count; c++)
        for (int64_t r = 0; r < n; r++)
          some[r][c] = values[(column + c) * in.width + row + r];
      for (int64_t r = 0; r < n; r++)
        std::copy_n (some[r], count, turned + (row - rows.begin + r) * width + column);
    }
}

} // namespace

void Transposed::make (const Picture &in, int64_t, Rows rows, std::byte *out) const
{
  switch (size_of (element)) {
  case 1:
    return turn<uint8_t> (in, to.width, rows, out);
  case 2:
    return turn<uint16_t> (in, to.width, rows, out);
  default:
    return turn<uint32_t> (in, to.width, rows, out);
  }
}

} // namespace sino::move_pixels
