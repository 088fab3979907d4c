// SPDX-License-Identifier: LGPL-3.0-or-later
// Where frequencies lie between rows and columns: [group of columns][row][column of the group], in vectors. A row then
// writes whole lines of memory, and all that a column needs stays in the second cache.
#pragma once
#include "kernels/iterate/stack.hpp"

namespace sino::iterate {

// From one group to the next. What is beyond the last row puts the groups' rows into different cache sets.
constexpr int64_t group_stride (int64_t n)
{
  return (n + 1) * columns_together;
}
constexpr int64_t place (int64_t n, int64_t column, int64_t row)
{
  return column / columns_together * group_stride (n) + row * columns_together + column % columns_together;
}

} // namespace sino::iterate
