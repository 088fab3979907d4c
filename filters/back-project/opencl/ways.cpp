// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/ways.hpp"
#include "back-project/opencl/choice.hpp"
#include "back-project/opencl/image.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino::back_project {

namespace {

// Compilers for CPUs take a minute for loops that are unrolled.
bool unrolls_slowly (const OpenclDevice &device, const Setting &setting)
{
  const auto &all = variant_of (setting).parameters;
  return !device.is_gpu &&
         std::any_of (all.begin (), all.end (), [] (const auto &p) { return p.name == std::string_view ("UNROLL"); }) &&
         setting["UNROLL"] != 1;
}

Problem with_lanes (Problem problem, int lanes)
{
  problem.lanes = lanes;
  return problem;
}

} // namespace

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

std::vector<Way> first_ways (const OpenclDevice &device, const Problem &problem, int64_t slices)
{
  std::vector<Way> ways;
  const auto add = [&] (Setting setting, int lanes) {
    if (unrolls_slowly (device, setting))
      setting.parameters["UNROLL"] = 1;
    const auto way = way_of (setting, lanes);
    if (refusal (device, setting, with_lanes (problem, lanes)).empty () &&
        std::none_of (ways.begin (), ways.end (), [&] (const auto &known) { return known.text == way.text; }))
      ways.push_back (way);
  };
  const auto proposed = proposals (device, problem, slices, true);
  for (const auto &choice : proposed)
    if (choice.setting.variant != "reference")
      add (choice.setting, choice.lanes);
  const auto add_all_lanes = [&] (const std::string &variant) {
    for (const int lanes :
         problem.lanes > 0 ? std::vector{problem.lanes} : lanes_for (variant_of ({variant, {}}), slices))
      if (lanes > 1 || slices == 1 || problem.lanes == 1)
        add ({variant, {}}, lanes);
  };
  for (const auto &choice : proposed)
    if (choice.setting.variant != "reference")
      add_all_lanes (choice.setting.variant);
  for (const auto &variant : variants ())
    if (variant.name != std::string_view ("reference"))
      add_all_lanes (variant.name);
  add_all_lanes ("reference"); // the slowest wherever anything else runs
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

std::vector<Way> ways_near (const OpenclDevice &device, const Problem &problem, const Way &way)
{
  std::vector<Way> ways;
  const auto setting = setting_of (way);
  for (const auto &parameter : variant_of (setting).parameters)
    for (const int value : parameter.values) {
      auto other = setting;
      other.parameters[parameter.name] = value;
      if (value != setting[parameter.name] && !unrolls_slowly (device, other) &&
          refusal (device, other, problem).empty ())
        ways.push_back (way_of (other, way.lanes));
    }
  return ways;
}

} // namespace sino::back_project
