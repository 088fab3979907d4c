// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/binned.hpp"
#include "kernels/flat-field/correct.hpp"
#include <algorithm>
#include <vector>

namespace sino::move_pixels {

Binned::Binned (Element e, Extent f, Factors by, double s)
    : Move (e, f, Element::f32, {f.width / by.columns, f.height / by.rows}), factors (by),
      scale (static_cast<float> (s))
{
}

// Adds values of a row as floats, in pieces that stay in the nearest cache.
static void add_values (Element element, const std::byte *from, int64_t count, float *to)
{
  constexpr int64_t piece = 1024;
  float values[piece];
  for (int64_t first = 0; first < count; first += piece) {
    const auto n = std::min (piece, count - first);
    flat_field::widen (element, from + static_cast<size_t> (first) * size_of (element), n, values);
    for (int64_t i = 0; i < n; i++)
      to[first + i] += values[i];
  }
}

// Adds whole rows first, with vectors. Sums of integers are exact up to 2^24.
void Binned::make (const Picture &in, int64_t, Rows rows, std::byte *out) const
{
  const auto lanes = in.lanes, line = in.width * lanes;
  std::vector<float> sums (static_cast<size_t> (line));
  auto *to_row = reinterpret_cast<float *> (out);
  for (auto row = rows.begin; row < rows.end; row++, to_row += to.width * lanes) {
    std::ranges::fill (sums, 0.0f);
    for (int64_t i = 0; i < factors.rows; i++) {
      const auto place = static_cast<size_t> (in.rows.place (row * factors.rows + i) * line);
      add_values (element, in.data + place * size_of (element), line, sums.data ());
    }
    for (int64_t column = 0; column < to.width; column++)
      for (int64_t lane = 0; lane < lanes; lane++) {
        const auto *first = &sums[static_cast<size_t> (column * factors.columns * lanes + lane)];
        float sum = first[0];
        for (int64_t i = 1; i < factors.columns; i++)
          sum += first[i * lanes];
        to_row[column * lanes + lane] = sum * scale;
      }
  }
}

} // namespace sino::move_pixels
