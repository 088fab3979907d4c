// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/numbers.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "tasks/files/units.hpp"
#include <cmath>

namespace sino::files {

std::vector<double> numbers (const ImageFile &file, const std::string &name, int64_t count)
{
  if (count == 0 || file.count (name) != count)
    return {};
  auto values = file.numbers (name, count);
  for (size_t i = 0; i < values.size (); i++)
    if (!(std::abs (values[i]) <= largest_number))
      fail (SINO_ERROR_BAD_FILE, "%s: value %zu is %g: numbers must be from -1e9 to 1e9", file.title (name).c_str (), i,
            values[i]);
  return values;
}

std::vector<double> degrees (const ImageFile &file, const std::string &name, int64_t count)
{
  auto values = numbers (file, name, count);
  const auto factor = values.empty () ? std::nullopt : degrees_in (file.text_attribute (name, "units"));
  if (factor && *factor != 1)
    for (auto &value : values)
      value *= *factor; // multiplies by one factor: dividing each by pi would round differently
  return values;
}

double to_degrees (double angle)
{
  const auto near = sino::degrees (angle);
  double round = near; // to 15 digits, as users write angles
  parse_number (text ("%.15g", near), round);
  if (radians (round) == angle)
    return round;
  double low = near, high = near;
  for (int i = 0; i < 4; i++) {
    if (radians (low) == angle)
      return low;
    if (radians (high) == angle)
      return high;
    low = std::nextafter (low, -HUGE_VAL);
    high = std::nextafter (high, HUGE_VAL);
  }
  return near;
}

} // namespace sino::files
