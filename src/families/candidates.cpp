// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/candidates.hpp"
#include "device/opencl.hpp"
#include "families/program.hpp"
#include "families/table.hpp"
#include <algorithm>

namespace sino::families {

namespace {

bool builds_soon (const Setting &setting, bool gpu)
{
  return gpu || std::ranges::all_of (setting.kernel->parameters,
                                     [&] (const auto &p) { return p.on_cpus < 0 || setting[p.name] == p.on_cpus; });
}

Setting that_builds_soon (Setting setting, bool gpu)
{
  for (const auto &parameter : setting.kernel->parameters)
    if (!gpu && parameter.on_cpus >= 0 && setting[parameter.name] != parameter.on_cpus)
      setting.parameters[parameter.name] = parameter.on_cpus;
  return setting;
}

} // namespace

std::string Candidate::text () const
{
  return setting.text () + ", " + lanes_text (lanes);
}

std::vector<Candidate> first_candidates (const OpenclDevice &device, const Family &family, const Problem &problem)
{
  std::vector<Candidate> list;
  const auto add = [&] (const Setting &setting, int lanes) {
    const Candidate candidate{that_builds_soon (setting, device.is_gpu), lanes};
    if (refusal (device, candidate.setting, problem.with_lanes (lanes)).empty () &&
        std::ranges::count (list, candidate) == 0)
      list.push_back (candidate);
  };
  const auto add_all_lanes = [&] (const Kernel &kernel) {
    for (const int lanes : problem.lanes > 0 ? std::vector{problem.lanes} : lanes_for (kernel, problem.rows))
      if (lanes > 1 || problem.rows == 1 || problem.lanes == 1)
        add ({&kernel, {}}, lanes);
  };
  const auto proposed = proposals (device, family, problem);
  const auto kernels = kernels_of (family);
  for (const auto &each : proposed)
    if (!each.setting.kernel->reference)
      add (each.setting, each.lanes);
  for (const auto &each : proposed)
    if (!each.setting.kernel->reference)
      add_all_lanes (*each.setting.kernel);
  for (const bool reference : {false, true}) // references last, because they are the slowest
    for (const auto *kernel : kernels)
      if (kernel->reference == reference)
        add_all_lanes (*kernel);
  return list;
}

std::vector<Candidate> candidates_near (const OpenclDevice &device, const Problem &problem, const Candidate &candidate)
{
  std::vector<Candidate> list;
  const auto &setting = candidate.setting;
  for (const auto &parameter : setting.kernel->parameters)
    for (const int value : parameter.values) {
      auto other = setting;
      other.parameters[parameter.name] = value;
      if (value != setting[parameter.name] && builds_soon (other, device.is_gpu) &&
          refusal (device, other, problem.with_lanes (candidate.lanes)).empty ())
        list.push_back ({other, candidate.lanes});
    }
  return list;
}

Candidate reference_of (const Family &family, const Problem &problem)
{
  const auto kernels = kernels_of (family);
  const auto found = std::ranges::find_if (kernels, [&] (const auto *k) {
    return k->reference && k->contradiction ({k, {}}, problem, {}).empty ();
  });
  const auto *kernel = found == kernels.end () ? kernels.back () : *found;
  if (problem.lanes > 0)
    return {{kernel, {}}, problem.lanes};
  for (const int lanes : lanes_for (*kernel, problem.rows))
    if (lanes <= 4)
      return {{kernel, {}}, lanes};
  return {{kernel, {}}, kernel->lanes[0]};
}

std::vector<Candidate> usual_candidates (const Family &family, const OpenclFacts &facts, const Problem &problem)
{
  std::vector<Candidate> list;
  const auto add = [&] (const Setting &setting, int lanes) {
    const Candidate candidate{setting, lanes};
    const bool fits = refusal (setting, problem.with_lanes (lanes), facts).empty ();
    if (fits && std::ranges::count (list, candidate) == 0)
      list.push_back (candidate);
    return fits;
  };
  if (family.baseline_kernel)
    add (parse_setting (family, family.baseline_kernel, family.baseline_parameters), 1);
  for (const auto *kernel : kernels_of (family))
    for (const int lanes : kernel->lanes) {
      auto alike = problem;
      alike.rows = lanes;
      bool known = false;
      for (const auto &each : tabled (family, facts, alike))
        if (!known && each.setting.kernel == kernel && each.lanes == lanes)
          known = add (each.setting, lanes);
      if (!known)
        add (that_builds_soon ({kernel, {}}, facts.gpu), lanes);
    }
  return list;
}

} // namespace sino::families
