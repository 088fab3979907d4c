// SPDX-License-Identifier: LGPL-3.0-or-later
// Processes four by four values at once, in vectors that every CPU has.
#include "kernels/cone-back-project/native/pack.hpp"
#include <cmath>
#include <cstring>
#include <limits>

namespace sino::cone_back_project {

namespace {

using Four [[gnu::vector_size (16)]] = float;
using Whole [[gnu::vector_size (16)]] = int32_t;
using Halves [[gnu::vector_size (8)]] = int16_t;

Four load (const float *from)
{
  Four v;
  std::memcpy (&v, from, sizeof v);
  return v;
}

void transpose (Four (&rows)[4])
{
  const Four a = __builtin_shufflevector (rows[0], rows[1], 0, 4, 1, 5),
             b = __builtin_shufflevector (rows[2], rows[3], 0, 4, 1, 5),
             c = __builtin_shufflevector (rows[0], rows[1], 2, 6, 3, 7),
             d = __builtin_shufflevector (rows[2], rows[3], 2, 6, 3, 7);
  rows[0] = __builtin_shufflevector (a, b, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector (a, b, 2, 3, 6, 7);
  rows[2] = __builtin_shufflevector (c, d, 0, 1, 4, 5);
  rows[3] = __builtin_shufflevector (c, d, 2, 3, 6, 7);
}

void put (Four v, float, float *out)
{
  std::memcpy (out, &v, sizeof v);
}
// Adding this constant rounds to an integer, which is then in the lowest bits.
void put (Four v, float inverse, int16_t *out)
{
  const Four rounded = v * inverse + 12582912.0F;
  Whole bits;
  std::memcpy (&bits, &rounded, sizeof bits);
  const auto halves = __builtin_convertvector (bits, Halves);
  std::memcpy (out, &halves, sizeof halves);
}

// Transposes four rows of four columns at once, and the rest value by value.
template <class Bin>
void transpose_into (const Values &values, const Packing &packing, Interval columns, float inverse, Bin *view)
{
  const auto rows = packing.rows.meet (values.rows);
  const auto from = [&] (int64_t row, int64_t column) {
    return values.data + (row - values.rows.begin) * values.columns + column;
  };
  const auto to = [&] (int64_t row, int64_t column) {
    return view + (column + 2) * packing.stride + packing.pad + row - packing.rows.begin;
  };
  const auto copy = [&] (Interval some_rows, Interval some_columns) {
    for (auto row = some_rows.begin; row < some_rows.end; row++)
      for (auto column = some_columns.begin; column < some_columns.end; column++) {
        alignas (16) Bin four[4];
        put (Four{*from (row, column)}, inverse, four);
        *to (row, column) = four[0];
      }
  };
  const auto row_end = rows.end - rows.size () % 4, column_end = columns.end - columns.size () % 4;
  for (auto row = rows.begin; row < row_end; row += 4)
    for (auto column = columns.begin; column < column_end; column += 4) {
      Four four[4];
      for (int i = 0; i < 4; i++)
        four[i] = load (from (row + i, column));
      transpose (four);
      for (int i = 0; i < 4; i++)
        put (four[i], inverse, to (row, column + i));
    }
  copy ({rows.begin, row_end}, {column_end, columns.end});
  copy ({row_end, rows.end}, columns);
}

} // namespace

float largest (const Values &values, Interval rows)
{
  const auto *begin = values.data + (rows.begin - values.rows.begin) * values.columns,
             *end = begin + rows.size () * values.columns;
  constexpr int side_by_side = 16;
  float most[side_by_side] = {}, broken[side_by_side] = {};
  const auto look = [&] (const float *from, int n) {
    for (int i = 0; i < n; i++) {
      most[i] = std::max (most[i], std::abs (from[i]));
      broken[i] += from[i] * 0;
    }
  };
  for (; end - begin >= side_by_side; begin += side_by_side)
    look (begin, side_by_side);
  look (begin, static_cast<int> (end - begin));
  for (const auto b : broken)
    if (b != 0)
      return std::numeric_limits<float>::quiet_NaN ();
  return *std::max_element (std::begin (most), std::end (most));
}

void pack (const Values &values, const Packing &packing, Interval columns, float unit, std::byte *view)
{
  if (packing.manner.precision == Precision::single)
    transpose_into (values, packing, columns, 1, reinterpret_cast<float *> (view));
  else
    transpose_into (values, packing, columns, unit > 0 ? 1 / unit : 0, reinterpret_cast<int16_t *> (view));
}

// Writes 16 slices, a cache line of sums, at once. Meanwhile it prefetches the slices' next lines.
void spread (const float *sums, const Tile &tile, int64_t width, std::span<float *const> slices)
{
  constexpr size_t deep = 16;
  constexpr int64_t ahead = 2;
  const auto columns = tile.columns, lines = tile.lines, whole = columns - columns % 4;
  for (size_t z = 0; z < slices.size (); z += deep) {
    const auto some = slices.subspan (z, deep);
    if (std::all_of (some.begin (), some.end (), [] (const float *slice) { return !slice; }))
      continue;
    for (int64_t y = 0; y < lines; y++) {
      const float *line = sums + y * tile.side * slab_size + z;
      if (y + ahead < lines)
        for (const auto *slice : some)
          if (slice) {
            __builtin_prefetch (slice + (y + ahead) * width, 1);
            __builtin_prefetch (slice + (y + ahead) * width + 16, 1);
          }
      for (int64_t x = 0; x < whole; x += 4)
        for (size_t i = 0; i < deep; i += 4) {
          Four four[4];
          for (int64_t k = 0; k < 4; k++)
            four[k] = load (line + (x + k) * slab_size + i);
          transpose (four);
          for (size_t k = 0; k < 4; k++)
            if (auto *slice = some[i + k]) {
              auto *out = slice + y * width + x;
              put (load (out) + four[k], 1, out);
            }
        }
      for (auto x = whole; x < columns; x++)
        for (size_t i = 0; i < deep; i++)
          if (some[i])
            some[i][y * width + x] += line[x * slab_size + static_cast<int64_t> (i)];
    }
  }
}

} // namespace sino::cone_back_project
