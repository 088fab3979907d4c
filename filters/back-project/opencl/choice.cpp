// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/choice.hpp"
#include "back-project/opencl/kept.hpp"
#include "back-project/opencl/trial.hpp"
#include "back-project/opencl/tuning.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::back_project {

namespace {

// Lanes that the variant takes, near those that were proposed: as asked for, or no more than there are slices.
int fitting_lanes (const Variant &variant, int proposed, int asked, int64_t slices)
{
  if (asked > 0)
    return asked;
  int best = variant.lanes[0];
  for (const int lanes : variant.lanes)
    if (lanes <= proposed && lanes < 2 * slices)
      best = lanes;
  return best;
}

std::vector<TunedChoice> candidates (const OpenclDevice &device, const OpenclFacts &facts, const Problem &problem,
                                     int64_t slices, const Wish &wish)
{
  const auto many = problem.lanes > 0 ? problem.lanes > 1 : slices > 1;
  const Situation situation{many, problem.interpolation, problem.half};
  auto list = tuned_choices (facts, situation);
  if (const auto kept = kept_choice (device, situation))
    list.insert (list.begin (), *kept);
  if (wish.variant != "auto") {
    std::erase_if (list, [&] (const auto &choice) { return choice.setting.variant != wish.variant; });
    const int widest = find_variant (wish.variant)->lanes.back ();
    const int lanes = many ? std::min (widest, facts.gpu ? 4 : 16) : 1;
    if (list.empty () || !wish.parameters.empty ())
      list.insert (list.begin (), {{wish.variant, {}}, list.empty () ? lanes : list[0].lanes, "wish"});
    if (!wish.parameters.empty ())
      list = {{parse_setting (wish.variant, wish.parameters), list[0].lanes, "wish"}};
  }
  return list;
}

} // namespace

Choice choose (const OpenclDevice &device, Problem problem, int64_t slices, const Wish &wish)
{
  const auto facts = device.facts ();
  const int asked = problem.lanes;
  std::vector<std::string> rejected;
  for (const auto &candidate : candidates (device, facts, problem, slices, wish)) {
    problem.lanes = fitting_lanes (variant_of (candidate.setting), candidate.lanes, asked, slices);
    auto why = refusal (candidate.setting, problem, facts);
    if (why.empty ())
      why = trial (device, candidate.setting, problem);
    if (why.empty ())
      return {candidate.setting, problem.lanes, candidate.origin, rejected};
    auto line = text ("%s with %d lanes: ", candidate.setting.text ().c_str (), problem.lanes) + why;
    if (std::find (rejected.begin (), rejected.end (), line) == rejected.end ())
      rejected.push_back (std::move (line));
  }
  std::string reasons;
  for (const auto &line : rejected)
    reasons += "\n  " + line;
  fail (SINO_ERROR_DEVICE, "no kernel on %s (%s) can do this%s:%s", device.id.c_str (), device.name.c_str (),
        wish.variant == "auto" ? "" : text (" with variant=%s", wish.variant.c_str ()).c_str (), reasons.c_str ());
}

} // namespace sino::back_project
