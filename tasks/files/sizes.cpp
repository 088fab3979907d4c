// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/sizes.hpp"
#include "base/error.hpp"
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

std::array<double, 3> origin_of (const Format &format)
{
  auto origin = spacing_of (format);
  for (size_t i = 0; i < 3; i++) {
    const auto &dim = format.axes[i];
    const auto first = std::min (dim.number (0), dim.number (dim.extent - 1));
    origin[i] *= static_cast<double> (first) / std::abs (static_cast<double> (dim.step));
  }
  return origin;
}

const UnitNames &names_of (formats::Unit unit)
{
  static constexpr UnitNames names[] = {{"mm", "millimeter", "mm", 1},         {"m", "meter", "m", 1000},
                                        {"cm", "centimeter", "cm", 10},        {"mm", "millimeter", "mm", 1},
                                        {"\u00b5m", "micrometer", "um", 1e-3}, {"nm", "nanometer", "nm", 1e-6}};
  return names[static_cast<size_t> (unit)];
}

formats::Unit unit_of (const Format &format, formats::Unit asked)
{
  if (asked == formats::Unit::automatic || asked == formats::Unit::mm)
    return formats::Unit::mm;
  if (format.geometry && format.geometry->pixel_size && format.geometry->in_mm)
    fail (SINO_ERROR_BAD_PROPERTY,
          "unit=%s: the scan's lengths are known to be in mm, with a pixel size of %g: leave unit= out, or give the "
          "source pixel-size= in %s",
          names_of (asked).ascii, *format.geometry->pixel_size, names_of (asked).ascii);
  return asked;
}

std::string shortest (double value)
{
  char digits[32];
  return {digits, std::to_chars (digits, digits + sizeof digits, value).ptr};
}

} // namespace sino::files
