// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cases.hpp"
#include "pairwise.hpp"
#include <algorithm>

namespace sino::test {

using namespace back_project;

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

std::vector<Setting> settings_of (const Variant &variant)
{
  std::vector<Setting> all{{variant.name, {}}};
  for (const auto &parameter : variant.parameters)
    for (const int value : parameter.values)
      if (value != parameter.values[0])
        all.push_back ({variant.name, {{parameter.name, value}}});
  if (variant.name == std::string_view ("local") || variant.name == std::string_view ("hybrid"))
    for (const auto *text : settings_of_the_paper)
      all.push_back (parse_setting (variant.name, text));
  return all;
}

// Of those that the kernel has.
void add_unless (Setting &setting, const Plan &plan)
{
  for (const auto &parameter : variant_of (setting).parameters)
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

std::vector<Case> sample_cases (const Variant &variant, const Plan &plan)
{
  std::vector<int> counts;
  const auto add = [&counts] (auto count) { counts.push_back (static_cast<int> (count)); };
  std::vector<std::pair<const char *, std::vector<int>>> parameters;
  for (const auto &[name, values, optional] : variant.parameters)
    if (!plan.unless.contains (name)) {
      parameters.emplace_back (name, plan.brief ? std::vector{values.front (), values.back ()} : values);
      add (parameters.back ().second.size ());
    }
  constexpr size_t flags = 2, regions = 3;
  for (const auto count : {variant.lanes.size (), flags, variant.interpolations.size (), flags, plan.widths.size (),
                           plan.projections.size (), plan.slices.size (), regions})
    add (count);
  const auto at = [&] (const Place &place) {
    Case c{{variant.name, {}}, 0, false, {}, false, 0, 0, 0, 0};
    auto value = place.begin ();
    const auto next = [&value] (const auto &list) { return list[static_cast<size_t> (*value++)]; };
    for (const auto &[name, values] : parameters)
      if (const int chosen = next (values); chosen != values[0])
        c.setting.parameters[name] = chosen;
    add_unless (c.setting, plan);
    c.lanes = next (variant.lanes);
    c.half = *value++ != 0;
    c.interpolation = next (variant.interpolations);
    c.mask = *value++ != 0;
    c.width = next (plan.widths);
    c.projections = next (plan.projections);
    c.slices = next (plan.slices);
    c.region = *value;
    return c;
  };
  std::vector<Case> cases;
  for (const auto &place : pairwise (counts, [&] (const Place &p) { return plan.allowed (at (p)); }))
    cases.push_back (at (place));
  return cases;
}

std::vector<Case> all_cases (const Variant &variant, const Plan &plan)
{
  std::vector<Case> cases;
  size_t turn = 0;
  for (auto setting : settings_of (variant)) {
    add_unless (setting, plan);
    for (const int lanes : variant.lanes)
      for (const bool half : {false, true})
        for (const auto interpolation : variant.interpolations) {
          const bool mask = turn++ % 2 != 0; // one per program, which take long to build
          for (const auto width : plan.widths) {
            turn++;
            const Case c{setting,
                         lanes,
                         half,
                         interpolation,
                         mask,
                         width,
                         plan.projections[turn % plan.projections.size ()],
                         plan.slices[turn / 3 % plan.slices.size ()],
                         static_cast<int> (turn / 9 % 3)};
            if (plan.allowed (c))
              cases.push_back (c);
          }
        }
  }
  return cases;
}

} // namespace sino::test
