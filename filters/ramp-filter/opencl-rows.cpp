// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/ramp-filter/opencl-rows.hpp"
#include "device/opencl-memory.hpp"

namespace sino::ramp_filter {

families::Problem problem_of (int64_t padded, bool edge, int lanes)
{
  return {lanes, 1000, {{"padding-mode", edge}, {"padded", padded}}};
}

std::string options (const families::Setting &, const families::Problem &problem)
{
  return problem["padding-mode"] == 1 ? " -DEDGE" : "";
}

cl::Buffer factors_of (const RowsSetup &setup)
{
  const auto &[p, q] = setup.filter;
  std::vector<cl_float2> pairs;
  for (size_t i = 0; i < p.size (); i += 2)
    pairs.push_back ({{p[i], q[i]}});
  return take_table (setup.device, setup.memory, factors_item, pairs);
}

} // namespace sino::ramp_filter
