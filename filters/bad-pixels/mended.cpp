// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/bad-pixels/mended.hpp"
#include "base/half.hpp"
#include <cmath>
#include <cstring>

namespace sino::bad_pixels {

template <class T, class Load, class Store>
void Mended::mend (const move_pixels::Picture &in, Rows rows, std::byte *out, Load load, Store store) const
{
  static constexpr struct {
    int64_t right, down;
  } sides[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  const auto width = static_cast<size_t> (in.width);
  const auto *const values = reinterpret_cast<const T *> (in.data);
  auto *line = reinterpret_cast<T *> (out);
  for (auto row = rows.begin; row < rows.end; row++, line += width) {
    const auto *const own = values + (row - in.rows.begin) * in.width;
    std::copy_n (own, width, line);
    const auto *const first = &map->bad[static_cast<size_t> (row) * width];
    for (const void *next = first;
         (next = std::memchr (next, 1, static_cast<size_t> (first + width - static_cast<const uint8_t *> (next))));
         next = static_cast<const uint8_t *> (next) + 1) {
      const auto column = static_cast<const uint8_t *> (next) - first;
      double sum = 0, weights = 0;
      for (const auto &side : sides) {
        const auto n = map->distance (column, row, side.right, side.down, reach);
        const auto value =
            n == 0 ? 0.0 : static_cast<double> (load (own[column + n * (side.right + side.down * in.width)]));
        if (n > 0 && std::isfinite (value)) {
          sum += value / static_cast<double> (n);
          weights += 1 / static_cast<double> (n);
        }
      }
      if (weights > 0)
        line[column] = store (sum / weights);
    }
  }
}

void Mended::make (const move_pixels::Picture &in, int64_t, Rows rows, std::byte *out) const
{
  const auto same = [] (auto value) { return value; };
  const auto rounded = [] (auto type) {
    return [=] (double value) { return static_cast<decltype (type)> (std::lround (value)); };
  };
  switch (element) {
  case Element::u8:
    return mend<uint8_t> (in, rows, out, same, rounded (uint8_t{}));
  case Element::u16:
    return mend<uint16_t> (in, rows, out, same, rounded (uint16_t{}));
  case Element::f16:
    return mend<uint16_t> (in, rows, out, half_to_float,
                           [] (double v) { return half_from_float (static_cast<float> (v)); });
  case Element::f32:
    return mend<float> (in, rows, out, same, [] (double value) { return static_cast<float> (value); });
  }
}

} // namespace sino::bad_pixels
