// SPDX-License-Identifier: LGPL-3.0-or-later
// Grey values of integers: value = slope * grey + offset.
#pragma once

namespace sino {

struct Scale {
  double slope = 1, offset = 0;

  double value_of (double grey) const { return slope * grey + offset; }
  // The scale of greys that `inner` turns into greys of this scale.
  Scale of (const Scale &inner) const { return {slope * inner.slope, value_of (inner.offset)}; }
  friend bool operator== (const Scale &, const Scale &) = default;
};

} // namespace sino
