// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts values from the element type of a stream to that of a file.
#pragma once
#include "stream/element.hpp"
#include "stream/scale.hpp"
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
  // Returns the number of values that did not fit and became the nearest possible value. NaN becomes 0 in integers.
  int64_t apply (const std::byte *from, size_t n, std::byte *to) const { return function (from, n, to, least, factor); }

private:
  using Function = int64_t (*) (const std::byte *, size_t, std::byte *, double least, double factor);
  Function function = nullptr;
  double least = 0, factor = 1;
};

bool is_float (Element element);
int greatest_integer (Element element); // of u8 and u16

// What the values of a file stand for, if `range` becomes its integers, and the stream has a scale itself.
std::optional<Scale> file_scale (const std::optional<Scale> &stream,
                                 const std::optional<std::pair<double, double>> &range, Element file);

// The values that become the least and the greatest integer of a file, from the property range=; none if values are not
// changed.
std::optional<std::pair<double, double>> mapped_range (const std::string &range, Element file);

} // namespace sino::files
