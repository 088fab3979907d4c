// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "kernels/back-project/back-project.hpp"
#include "stream/format.hpp"
#include "stream/rows.hpp"

namespace sino::slice {

// Columns of line y that lie in the inscribed circle of a slice, which all projections of the usual scan see; all
// columns if the slices are a region.
inline Interval in_circle (const Format &slices, int64_t y)
{
  const auto &across = slices.dim (Axis::x), &down = slices.dim (Axis::y);
  const auto size = across.extent;
  if (across.first != 0 || down.first != 0 || down.extent != size)
    return {0, size};
  int64_t begin = 0;
  while (begin < size - begin && !back_project::in_circle (size, begin, y))
    begin++;
  return begin < size - begin ? Interval{begin, size - begin} : Interval{};
}

} // namespace sino::slice
