// SPDX-License-Identifier: LGPL-3.0-or-later
// A grey picture on which images, bars and words are drawn; clips at its borders.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sino::files {

class Sheet
{
public:
  static constexpr int64_t letter_columns = 12, letter_lines = 14; // including the space after a letter
  static constexpr int64_t margin = 12, gap = 8;                   // around the sheet, and between items on it

  // A white sheet.
  Sheet (int64_t lines, int64_t columns, int bits);

  int64_t lines () const { return lines_; }
  int64_t columns () const { return columns_; }
  const std::vector<uint16_t> &values () const { return values_; }
  uint16_t white () const { return white_; }

  void fill (int64_t line, int64_t column, int64_t lines, int64_t columns, uint16_t value);
  // Draws an image, each pixel enlarged `times` times in both directions.
  void image (int64_t line, int64_t column, const std::vector<uint16_t> &pixels, int64_t columns, int64_t times);
  // Writes capitals, digits and . , : = + - / % ( ) in black; small letters are written as capitals, other characters
  // as spaces.
  void write (int64_t line, int64_t column, std::string_view words);
  // ", shown as 1:3" if the picture is shrunk, ", shown as 2:1" if it is enlarged; otherwise "".
  static std::string scale_text (int64_t shrink, int64_t times);
  static int64_t width (std::string_view words) { return static_cast<int64_t> (words.size ()) * letter_columns; }

private:
  int64_t lines_, columns_;
  uint16_t white_;
  std::vector<uint16_t> values_;
};

} // namespace sino::files
