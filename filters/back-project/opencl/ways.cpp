// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/ways.hpp"
#include "back-project/opencl/tuning.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino::back_project {

Way way_of (const Setting &setting, int lanes)
{
  const auto words = setting.text ();
  const auto bracket = words.find ('(');
  const auto parameters = bracket == words.npos ? "" : words.substr (bracket + 1, words.size () - bracket - 2);
  return {{{"variant", setting.variant}, {"variant-parameters", parameters}},
          lanes,
          words + text (", %d lane%s", lanes, lanes == 1 ? "" : "s")};
}

Setting setting_of (const Way &way)
{
  return parse_setting (way.properties.at (0).second, way.properties.at (1).second);
}

std::vector<Way> first_ways (const OpenclFacts &facts, Problem problem, int64_t slices)
{
  std::vector<Way> ways;
  const int asked = problem.lanes;
  for (const auto &variant : variants ())
    for (const int lanes : variant.lanes) {
      problem.lanes = lanes;
      const bool wanted = asked > 0 ? lanes == asked : lanes < 2 * slices && (lanes > 1 || slices == 1);
      if (wanted && refusal ({variant.name, {}}, problem, facts).empty ())
        ways.push_back (way_of ({variant.name, {}}, lanes));
    }
  return ways;
}

std::vector<Way> usual_ways (const OpenclFacts &facts, Problem problem)
{
  std::vector<Way> ways;
  const auto add = [&] (const Setting &setting, int lanes) {
    problem.lanes = lanes;
    const auto way = way_of (setting, lanes);
    const bool known = std::any_of (ways.begin (), ways.end (), [&] (const Way &w) { return w.text == way.text; });
    if (!known && refusal (setting, problem, facts).empty ())
      ways.push_back (way);
    return known || (!ways.empty () && ways.back ().text == way.text);
  };
  if (!problem.half)
    add ({"texture", {{"PROJECTIONS", 1}, {"INTERLEAVE", 1}, {"ZORDER", 0}}}, 1);
  for (const auto &variant : variants ())
    for (const int lanes : variant.lanes) {
      if (lanes == 8 || lanes == 32)
        continue; // nothing new
      bool tuned = false;
      for (const auto &choice : tuned_choices (facts, {lanes > 1, problem.interpolation, problem.half}))
        if (!tuned && choice.setting.variant == variant.name && choice.lanes == lanes)
          tuned = add (choice.setting, lanes);
      Setting plain{variant.name, {}};
      if (!facts.gpu && plain.if_any ("UNROLL") > 0)
        plain.parameters["UNROLL"] = 1; // compilers for CPUs take a minute for what is unrolled
      if (!tuned)
        add (plain, lanes);
    }
  return ways;
}

std::vector<Way> ways_near (const OpenclFacts &facts, const Problem &problem, const Way &way)
{
  std::vector<Way> ways;
  const auto setting = setting_of (way);
  for (const auto &parameter : variant_of (setting).parameters)
    for (const int value : parameter.values) {
      auto other = setting;
      other.parameters[parameter.name] = value;
      if (value != setting[parameter.name] && refusal (other, problem, facts).empty ())
        ways.push_back (way_of (other, way.lanes));
    }
  return ways;
}

} // namespace sino::back_project
