// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/axis-range.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <cmath>

namespace sino::slice {

constexpr double most_axes = 4096, farthest = 1e9;

bool is_axis_range (const std::string &property)
{
  return parse_numbers (property, ':').size () > 1;
}

std::vector<double> axes_of (const std::string &property)
{
  const auto numbers = parse_numbers (property, ':');
  if (numbers.size () < 2 || numbers.size () > 3)
    fail (SINO_ERROR_BAD_PROPERTY,
          "axis=%s is not a range: give start:stop:step in columns, stop excluded, for example axis=290:300:0.5",
          property.c_str ());
  const double start = numbers[0], stop = numbers[1], step = numbers.size () > 2 ? numbers[2] : 1;
  if (!(std::abs (start) <= farthest) || !(std::abs (stop) <= farthest) || !(std::abs (step) <= farthest) ||
      !((stop - start) * step > 0))
    fail (SINO_ERROR_BAD_PROPERTY,
          "axis=%s contains no column: stop is excluded, and step must lead from start towards stop, for example "
          "axis=290:300:0.5",
          property.c_str ());
  const double count = std::ceil ((stop - start) / step - 1e-9);
  if (!(count <= most_axes))
    fail (SINO_ERROR_BAD_PROPERTY, "axis=%s has %.0f columns, and at most %.0f are tried at once: give a larger step",
          property.c_str (), count, most_axes);
  std::vector<double> axes;
  for (int i = 0; i < static_cast<int> (std::max (count, 1.0)); i++)
    axes.push_back (start + i * step);
  return axes;
}

} // namespace sino::slice
