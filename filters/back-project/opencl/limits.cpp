// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/limits.hpp"
#include "base/text.hpp"
#include "filters/back-project/opencl/model.hpp"
#include "filters/back-project/opencl/problem.hpp"

namespace sino::back_project {

// Values from the throughput tables of NVIDIA and AMD; a unit of Intel has eight float lanes.
double float_lanes (const OpenclFacts &facts)
{
  if (facts.vendor == "intel")
    return 8;
  double capability = 0;
  if (facts.vendor != "nvidia" || !parse_number (facts.architecture, capability))
    return 64;
  if (capability < 3)
    return capability < 2 ? 8 : 32;
  if (capability < 5)
    return 192;
  const bool narrow = capability == 6.0 || (capability >= 7 && capability < 8.6);
  return narrow ? 64 : 128;
}

namespace {

// Texels that a unit fetches in four clocks. Texels of up to 64 bits go at full rate, longer ones at a quarter.
double texels (const Problem &problem)
{
  return problem.lanes * (is_half (problem) ? 2 : 4) <= 8 ? 4 : 1;
}

// Operations per update. `texture`: the addition, and a lane's share of the position; `local`: as in the paper's model.
double operations (const Setting &setting, const Problem &problem)
{
  if (setting.kernel->name == std::string_view ("local"))
    return load_of (local_work (setting, problem.lanes)).fp;
  if (setting.kernel->name == std::string_view ("texture"))
    return 1 + 2.0 / problem.lanes;
  return 0;
}

} // namespace

std::vector<Limit> limits_of (const Setting &setting, const Problem &problem, const OpenclFacts &facts)
{
  if (!facts.gpu || interpolation_of (problem) != Interpolation::linear)
    return {};
  const double cycles = 1e6 * facts.clock * facts.units;
  std::vector<Limit> limits;
  if (setting.kernel->name == std::string_view ("texture"))
    limits.push_back ({"texture", cycles * texels (problem) * problem.lanes});
  if (const double each = operations (setting, problem); each > 0)
    limits.push_back ({"FMA", cycles * float_lanes (facts) / each});
  return limits;
}

} // namespace sino::back_project
