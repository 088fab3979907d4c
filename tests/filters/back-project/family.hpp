// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of back-projection and what is asked of them, in few words.
#pragma once
#include "families/kernels.hpp"
#include "families/proposals.hpp"
#include "families/table.hpp"
#include "filters/back-project/opencl/family.hpp"
#include "filters/back-project/opencl/problem.hpp"

namespace sino::test {

inline families::Setting setting (const std::string &kernel, const std::string &parameters = "")
{
  return families::parse_setting (back_project::family (), kernel, parameters);
}

inline families::Problem problem (int lanes, bool half, back_project::Interpolation interpolation, bool mask,
                                  int64_t columns, int64_t projections, int64_t slices = 1)
{
  return {lanes,
          slices,
          {{"interpolation", static_cast<int64_t> (interpolation)},
           {"precision", half},
           {"mask", mask},
           {"columns", columns},
           {"projections", projections}}};
}

// A situation as tables of tunings know it.
inline families::Problem situation (bool many, back_project::Interpolation interpolation, bool half)
{
  return problem (0, half, interpolation, false, 2048, 1500, many ? 1000 : 1);
}

inline std::vector<families::Proposal> tabled (const OpenclFacts &facts, const families::Problem &problem)
{
  return families::tabled (back_project::family (), facts, problem);
}

} // namespace sino::test
