// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/sizes.hpp"
#include <charconv>
#include <cmath>

namespace sino::files {

std::array<double, 3> spacing_of (const Format &format)
{
  std::array<double, 3> spacing{};
  if (!format.geometry || !format.geometry->pixel_size)
    return spacing;
  const double across = *format.geometry->pixel_size, down = std::abs (across * format.geometry->rows_apart);
  const auto step = [&] (size_t i) { return std::abs (static_cast<double> (format.axes[i].step)); };
  for (size_t i = 0; i < 3; i++)
    switch (format.axes[i].axis) {
    case Axis::angle:
      break;
    case Axis::row:
    case Axis::z:
      spacing[i] = slice_trials (format).empty () ? down : 0; // slices of one row have no distance
      break;
    case Axis::y: // files of slices may skip lines as well as columns
      spacing[i] = across * step (i) / step (2);
      break;
    default:
      spacing[i] = across;
    }
  return spacing;
}

const UnitNames &names_of (formats::Unit unit)
{
  static constexpr UnitNames names[] = {{"mm", "millimeter", 1},         {"m", "meter", 1000},
                                        {"cm", "centimeter", 10},        {"mm", "millimeter", 1},
                                        {"\u00b5m", "micrometer", 1e-3}, {"nm", "nanometer", 1e-6}};
  return names[static_cast<size_t> (unit)];
}

std::string shortest (double value)
{
  char digits[32];
  return {digits, std::to_chars (digits, digits + sizeof digits, value).ptr};
}

} // namespace sino::files
