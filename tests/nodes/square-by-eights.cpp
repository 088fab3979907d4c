// SPDX-License-Identifier: LGPL-3.0-or-later
// A kernel that one module adds to the node of another.
#include "families/kernels.hpp"
#include "glue/workers/kernel-point-filter.hpp"
#include "tests/nodes/square.hpp"

namespace {

[[maybe_unused]] const bool added = [] {
  sino::families::add_kernel ("square",
                              sino::point_kernel ("eight", "eight values by an item", sino::test::square_source, 8));
  return true;
}();

} // namespace
