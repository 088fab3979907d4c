// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/opencl/problem.hpp"

namespace sino::live {

std::string options (const families::Setting &, const families::Problem &problem)
{
  return problem["precision"] == 0 ? " -DHALF=1" : " -DHALF=0";
}

families::Problem family_problem (bool half, int64_t rows_of_scan)
{
  return {1, rows_of_scan, {{"precision", half ? 0 : 1}}};
}

} // namespace sino::live
