// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts from the element type of a stream to that of a file.
#pragma once
#include "stream/element.hpp"
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace sino::files {

class Conversion
{
public:
  // `range`: the values that become the least and the greatest integer; without it integers keep their value.
  Conversion (Element from, Element to, std::optional<std::pair<double, double>> range);

  bool needed () const { return function != nullptr; }
  // Gives back how many values did not fit and became the nearest one that does. No number becomes 0 in integers.
  int64_t apply (const std::byte *from, size_t n, std::byte *to) const { return function (from, n, to, least, factor); }

private:
  using Function = int64_t (*) (const std::byte *, size_t, std::byte *, double least, double factor);
  Function function = nullptr;
  double least = 0, factor = 1;
};

// The values that become the least and the greatest integer of a file, by the property range=; none where values stay.
std::optional<std::pair<double, double>> mapped_range (const std::string &range, Element stream, Element file);

} // namespace sino::files
