// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/numbers.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "tasks/files/angles.hpp"
#include "tasks/files/hdf5-angles.hpp"
#include <cmath>

namespace sino::files {

std::vector<double> numbers (const ImageFile &file, const std::string &name, int64_t count)
{
  if (count == 0 || file.count (name) != count)
    return {};
  auto values = file.numbers (name, count);
  for (size_t i = 0; i < values.size (); i++)
    if (!(std::abs (values[i]) <= largest_number))
      fail (SINO_ERROR_BAD_FILE, "%s: value %zu is %g: numbers from -1e9 to 1e9 are wanted", file.title (name).c_str (),
            i, values[i]);
  return values;
}

std::vector<double> degrees (const ImageFile &file, const std::string &name, int64_t count)
{
  auto values = numbers (file, name, count);
  const auto factor = values.empty () ? std::nullopt : degrees_in (file.text_attribute (name, "units"));
  if (factor && *factor != 1)
    for (auto &value : values)
      value *= *factor; // one for all: dividing each by pi rounds otherwise
  return values;
}

} // namespace sino::files
