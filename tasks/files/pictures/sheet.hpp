// SPDX-License-Identifier: LGPL-3.0-or-later
// A grey picture that images, bars and words are drawn on. What lies beyond its borders is left out.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace sino::files {

class Sheet
{
public:
  static constexpr int64_t letter_columns = 12, letter_lines = 14; // the space after a letter included
  static constexpr int64_t margin = 12, gap = 8;                   // around the sheet, and between what stands on it

  // White.
  Sheet (int64_t lines, int64_t columns, int bits);

  int64_t lines () const { return lines_; }
  int64_t columns () const { return columns_; }
  const std::vector<uint16_t> &values () const { return values_; }
  uint16_t white () const { return white_; }

  void fill (int64_t line, int64_t column, int64_t lines, int64_t columns, uint16_t value);
  // Each pixel `times` in both directions.
  void image (int64_t line, int64_t column, const std::vector<uint16_t> &pixels, int64_t columns, int64_t times);
  // Capitals, digits and . , : = + - / % ( ), in black; small letters become capitals, and others spaces.
  void write (int64_t line, int64_t column, std::string_view words);
  static int64_t width (std::string_view words) { return static_cast<int64_t> (words.size ()) * letter_columns; }

private:
  int64_t lines_, columns_;
  uint16_t white_;
  std::vector<uint16_t> values_;
};

} // namespace sino::files
