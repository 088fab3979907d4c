// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/pictures/sheet.hpp"
#include "base/text.hpp"
#include "tasks/files/pictures/letters.hpp"
#include <algorithm>

namespace sino::files {

constexpr int64_t dot = 2; // pixels per dot of a letter

Sheet::Sheet (int64_t lines, int64_t columns, int bits)
    : lines_ (lines), columns_ (columns), white_ (static_cast<uint16_t> ((1 << bits) - 1)),
      values_ (static_cast<size_t> (lines * columns), white_)
{
}

void Sheet::fill (int64_t line, int64_t column, int64_t lines, int64_t columns, uint16_t value)
{
  const auto first = std::clamp<int64_t> (column, 0, columns_), last = std::clamp (column + columns, first, columns_);
  for (auto l = std::max<int64_t> (line, 0); l < std::min (line + lines, lines_); l++)
    std::fill (values_.begin () + l * columns_ + first, values_.begin () + l * columns_ + last, value);
}

void Sheet::image (int64_t line, int64_t column, const std::vector<uint16_t> &pixels, int64_t columns, int64_t times)
{
  if (times == 1) {
    const auto n = std::ssize (pixels) / columns, first = std::clamp<int64_t> (-column, 0, columns),
               last = std::clamp (columns_ - column, first, columns);
    for (int64_t l = std::max<int64_t> (-line, 0); l < std::min (n, lines_ - line); l++)
      std::copy_n (pixels.begin () + l * columns + first, last - first,
                   values_.begin () + (line + l) * columns_ + column + first);
    return;
  }
  for (int64_t i = 0; i < std::ssize (pixels); i++)
    fill (line + i / columns * times, column + i % columns * times, times, times, pixels[static_cast<size_t> (i)]);
}

void Sheet::write (int64_t line, int64_t column, std::string_view words)
{
  for (const char letter : words) {
    const auto rows = rows_of (letter);
    for (int64_t y = 0; y < Letter::height; y++)
      for (int64_t x = 0; x < Letter::width; x++)
        if (rows[static_cast<size_t> (y)] >> (Letter::width - 1 - x) & 1)
          fill (line + y * dot, column + x * dot, dot, dot, 0);
    column += letter_columns;
  }
}

std::string Sheet::scale_text (int64_t shrink, int64_t times)
{
  return shrink > 1  ? text (", shown as 1:%" G_GINT64_FORMAT, shrink)
         : times > 1 ? text (", shown as %" G_GINT64_FORMAT ":1", times)
                     : "";
}

} // namespace sino::files
