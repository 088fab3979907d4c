// SPDX-License-Identifier: LGPL-3.0-or-later
// Where frequencies lie between rows and columns: [group of columns][row][column of the group], in vectors. A row then
// writes whole lines of memory, and all that a column needs stays in the second cache.
#pragma once
#include "kernels/iterate/stack.hpp"

namespace sino::iterate {

// From one group to the next. (Groups further apart, so that a row's parts are in different cache sets, take longer.)
constexpr int64_t group_stride (int64_t n)
{
  return n * columns_together;
}
constexpr int64_t place (int64_t n, int64_t column, int64_t row)
{
  return column / columns_together * group_stride (n) + row * columns_together + column % columns_together;
}

} // namespace sino::iterate
