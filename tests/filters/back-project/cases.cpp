// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/filters/back-project/cases.hpp"
#include "tests/filters/back-project/pairwise.hpp"
#include <algorithm>
#include <array>

namespace sino::test {

using namespace back_project;
using families::Kernel, families::Setting;

namespace {

// S. Chilingaryan et al. 2019, tables 18, 20 and 24: what was best for local.cl on some family.
constexpr const char *settings_of_the_paper[] = {
    "PIXELS=4,CACHED=16,ADVANCED=1,HOLD=2,HOLD_STEPS=1",
    "PIXELS=4,CACHED=8,ADVANCED=1,HOLD_STEPS=1",
    "PIXELS=4,CACHED=16,ADVANCED=1,HOLD_STEPS=1,ARRAYS=4",
    "PIXELS=8,CACHED=8,UNROLL=4,ADVANCED=1,HOLD_STEPS=1,ROUND=1",
    "PIXELS=16,CACHED=16,UNROLL=4,WRITE64=1,FILLERS=16,ROUND=1",
    "PIXELS=8,CACHED=8,UNROLL=2,ROUND=1",
    "PIXELS=4,CACHED=8,UNROLL=2",
    "PIXELS=16,CACHED=8,ADVANCED=1,HOLD_STEPS=1",
    "PIXELS=16,CACHED=8",
    "PIXELS=4,CACHED=16,HALF_CACHE=1,ROUND=1",
    "PIXELS=16,CACHED=8,ADVANCED=1,AHEAD=256",
    "PIXELS=8,CACHED=16,AHEAD=256",
    "PIXELS=8,CACHED=8,AHEAD=256",
    "PIXELS=16,CACHED=8,ADVANCED=1,HOLD=2,AHEAD=256",
    "PIXELS=4,CACHED=16,HOLD=2,AHEAD=256",
    "PIXELS=16,CACHED=8,HOLD=2,AHEAD=256",
    "PIXELS=4,CACHED=8,HOLD=2,AHEAD=256,ARRAYS=2",
    "PIXELS=4,CACHED=16,ARRAYS=2",
    "PIXELS=4,CACHED=8,FILLERS=32",
    "PIXELS=4,CACHED=8,FILLERS=32,ARRAYS=2",
    "PIXELS=4,CACHED=4,FILLERS=64,ARRAYS=4,UNROLL=2",
    "PIXELS=16,CACHED=4,FILLERS=32,UNROLL=4,ROUND=2,WRITE64=1",
    "PIXELS=8,CACHED=4,FILLERS=32,UNROLL=2,ROUND=1",
    "PIXELS=4,CACHED=4,FILLERS=64,ARRAYS=2,UNROLL=2,ROUND=1",
    "PIXELS=16,CACHED=8,FILLERS=32",
    "PIXELS=16,CACHED=4,FILLERS=64,ARRAYS=2",
    "PIXELS=16,CACHED=8,FILLERS=32,WRITE64=1",
    "PIXELS=8,CACHED=4,FILLERS=32,ARRAYS=2,UNROLL=2",
    "PIXELS=4,CACHED=4,FILLERS=64,ARRAYS=2,UNROLL=2",
};

// A setting, and whether only one combination of lanes, precision and interpolation is asked of it: what hybrid.cl has
// of local.cl is asked of that one, and what compilers take minutes for is asked once.
struct Asked {
  Setting setting;
  bool once;
};

constexpr std::array interpolations{Interpolation::linear, Interpolation::nearest, Interpolation::oversample};

bool has_parameter (const char *kernel, const std::string &name)
{
  const auto &all = families::find_kernel (family (), kernel)->parameters;
  return std::any_of (all.begin (), all.end (), [&] (const auto &p) { return p.name == name; });
}

std::vector<Asked> settings_of (const Kernel &kernel, const Plan &plan)
{
  const bool hybrid = kernel.name == std::string_view ("hybrid");
  std::vector<Asked> all;
  for (const auto &parameter : kernel.parameters)
    for (const int value : parameter.values)
      if (value != parameter.values[0])
        all.push_back ({{&kernel, {{parameter.name, value}}},
                        plan.unless.contains (parameter.name) || (hybrid && has_parameter ("local", parameter.name))});
  if (hybrid || kernel.name == std::string_view ("local"))
    for (const auto *text : settings_of_the_paper) {
      auto asked = setting (kernel.name, text);
      for (const auto &[name, value] : plan.unless)
        asked.parameters.erase (name);
      all.push_back ({asked, hybrid});
    }
  return all;
}

// Adds those parameters that the kernel has.
void add_unless (Setting &setting, const Plan &plan)
{
  for (const auto &parameter : setting.kernel->parameters)
    if (const auto found = plan.unless.find (parameter.name); found != plan.unless.end ())
      setting.parameters.insert (*found);
}

} // namespace

Roi Case::roi () const
{
  const auto up_to = [this] (int64_t begin, int64_t most) { return std::min (most, width - begin); };
  if (region == 0) {
    const int64_t x = width / 8 + 1, y = width / 7;
    return {x, y, up_to (x, 61), up_to (y, 43)};
  }
  if (region == 1) {
    const int64_t x = width / 3 + 1, y = std::max<int64_t> (1, width - 37);
    return {x, y, up_to (x, 83), width - y};
  }
  return {width / 2 - 1, 3, 3, up_to (3, 131)};
}

std::vector<Case> sample_cases (const Kernel &kernel, const Plan &plan)
{
  std::vector<int> counts;
  const auto add = [&counts] (auto count) { counts.push_back (static_cast<int> (count)); };
  std::vector<std::pair<const char *, std::vector<int>>> parameters;
  for (const auto &parameter : kernel.parameters)
    if (!plan.unless.contains (parameter.name)) {
      parameters.emplace_back (parameter.name, parameter.values);
      add (parameters.back ().second.size ());
    }
  constexpr size_t flags = 2, regions = 3;
  for (const auto count : {kernel.lanes.size (), flags, interpolations.size (), flags, plan.widths.size (),
                           plan.projections.size (), plan.slices.size (), regions})
    add (count);
  const auto at = [&] (const Pick &pick) {
    Case c{{&kernel, {}}, 0, false, {}, false, 0, 0, 0, 0};
    auto value = pick.begin ();
    const auto next = [&value] (const auto &list) { return list[static_cast<size_t> (*value++)]; };
    for (const auto &[name, values] : parameters)
      if (const int chosen = next (values); chosen != values[0])
        c.setting.parameters[name] = chosen;
    add_unless (c.setting, plan);
    c.lanes = next (kernel.lanes);
    c.half = *value++ != 0;
    c.interpolation = next (interpolations);
    c.mask = *value++ != 0;
    c.width = next (plan.widths);
    c.projections = next (plan.projections);
    c.slices = next (plan.slices);
    c.region = *value;
    return c;
  };
  std::vector<Case> cases;
  for (const auto &pick : pairwise (counts, [&] (const Pick &p) { return plan.allowed (at (p)); }))
    cases.push_back (at (pick));
  return cases;
}

std::vector<Case> quick_cases (const std::vector<Setting> &settings, const Plan &plan)
{
  static constexpr std::array all_lanes{1, 2, 4, 8, 16, 32};
  std::vector<int> counts;
  constexpr size_t flags = 2, regions = 3;
  for (const auto count : {settings.size (), all_lanes.size (), flags, interpolations.size (), flags,
                           plan.widths.size (), plan.projections.size (), plan.slices.size (), regions})
    counts.push_back (static_cast<int> (count));
  const auto at = [&] (const Pick &pick) {
    auto value = pick.begin ();
    const auto next = [&value] (const auto &list) { return list[static_cast<size_t> (*value++)]; };
    Case c{next (settings), 0, false, {}, false, 0, 0, 0, 0};
    add_unless (c.setting, plan);
    c.lanes = next (all_lanes);
    c.half = *value++ != 0;
    c.interpolation = next (interpolations);
    c.mask = *value++ != 0;
    c.width = next (plan.widths);
    c.projections = next (plan.projections);
    c.slices = next (plan.slices);
    c.region = *value;
    return c;
  };
  std::vector<Case> cases;
  for (const auto &pick : pairwise (counts, [&] (const Pick &p) { return plan.allowed (at (p)); }))
    cases.push_back (at (pick));
  return cases;
}

std::vector<Case> all_cases (const Kernel &kernel, const Plan &plan)
{
  std::vector<Case> cases;
  size_t turn = 0;
  const auto sized = [&] (Case c, int64_t width) {
    turn++;
    c.width = width;
    c.projections = plan.projections[turn % plan.projections.size ()];
    c.slices = plan.slices[turn / 3 % plan.slices.size ()];
    c.region = static_cast<int> (turn / 9 % 3);
    return c;
  };
  // Whether any of all widths can be run.
  const auto add = [&] (const Setting &setting, int lanes, bool half, Interpolation interpolation) {
    const auto before = cases.size ();
    Case c{setting, lanes, half, interpolation, turn++ % 2 != 0, 0, 0, 0, 0}; // one mask per program
    add_unless (c.setting, plan);
    for (const auto width : plan.widths)
      if (const auto one = sized (c, width); plan.allowed (one))
        cases.push_back (one);
    return cases.size () > before;
  };
  for (const int lanes : kernel.lanes)
    for (const auto interpolation : interpolations)
      for (const bool half : {false, true})
        add ({&kernel, {}}, lanes, half, interpolation);
  size_t combination = 0;
  for (const auto &[setting, once] : settings_of (kernel, plan)) {
    const auto count = kernel.lanes.size () * interpolations.size ();
    bool added = false;
    for (size_t i = 0; i < count && !(once && added); i++) {
      combination++;
      const int lanes = kernel.lanes[combination % kernel.lanes.size ()];
      const auto interpolation = interpolations[combination / kernel.lanes.size () % interpolations.size ()];
      const bool half = combination / count % 2 != combination % 2; // bins are loaded in one place: by turns
      added = add (setting, lanes, half, interpolation) || add (setting, lanes, !half, interpolation) || added;
    }
    combination += once ? 1 : 0;
  }
  return cases;
}

} // namespace sino::test
