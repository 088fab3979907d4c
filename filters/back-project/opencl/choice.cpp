// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/choice.hpp"
#include "back-project/opencl/kept.hpp"
#include "back-project/opencl/measure.hpp"
#include "back-project/opencl/trial.hpp"
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

// What the table says, for the lanes that there will be.
std::vector<TunedChoice> proposals (const OpenclDevice &device, const OpenclFacts &facts, const Situation &situation,
                                    int asked, int64_t slices, bool automatic)
{
  auto list = tuned_choices (facts, situation);
  const auto kept = kept_choice (device, situation);
  // Parameters that were found for other lanes come after those that were found for these, but not after those that fit
  // any device.
  const int lanes = asked > 0 ? asked : slices == 2 ? 2 : 0;
  const auto fit_all =
      std::find_if (list.begin (), list.end (), [] (const auto &c) { return c.origin == default_of_all; });
  if (lanes > 0)
    for (const auto &[begin, end] : {std::pair{list.begin (), fit_all}, {fit_all, list.end ()}})
      std::stable_partition (begin, end, [&] (const auto &choice) { return choice.lanes == lanes; });
  for (auto &choice : list)
    choice.lanes = fitting_lanes (variant_of (choice.setting), choice.lanes, asked, slices);
  if (automatic && family_of (facts).empty ())
    list = by_model (std::move (list), facts, situation, measure (device, facts, situation));
  if (kept) {
    list.insert (list.begin (), *kept);
    list[0].lanes = fitting_lanes (variant_of (kept->setting), kept->lanes, asked, slices);
  }
  return list;
}

std::vector<TunedChoice> candidates (const OpenclDevice &device, const OpenclFacts &facts, const Problem &problem,
                                     int64_t slices, const Wish &wish)
{
  const auto many = problem.lanes > 0 ? problem.lanes > 1 : slices > 1;
  auto list = proposals (device, facts, {many, problem.interpolation, problem.half}, problem.lanes, slices,
                         wish.variant == "auto");
  if (wish.variant != "auto") {
    std::erase_if (list, [&] (const auto &choice) { return choice.setting.variant != wish.variant; });
    const auto &variant = *find_variant (wish.variant);
    const int most = many ? std::min (variant.lanes.back (), facts.gpu ? 4 : 16) : 1;
    if (list.empty () || !wish.parameters.empty ())
      list.insert (list.begin (), {{wish.variant, {}},
                                   list.empty () ? fitting_lanes (variant, most, problem.lanes, slices) : list[0].lanes,
                                   "wish",
                                   "as asked for"});
    if (!wish.parameters.empty ())
      list = {{parse_setting (wish.variant, wish.parameters), list[0].lanes, "wish", "as asked for"}};
  }
  return list;
}

} // namespace

Choice choose (const OpenclDevice &device, Problem problem, int64_t slices, const Wish &wish)
{
  const auto facts = device.facts ();
  std::vector<std::string> rejected;
  for (const auto &candidate : candidates (device, facts, problem, slices, wish)) {
    problem.lanes = candidate.lanes;
    auto why = refusal (candidate.setting, problem, facts);
    if (why.empty ())
      why = trial (device, candidate.setting, problem);
    if (why.empty ())
      return {candidate.setting, problem.lanes, candidate.origin, candidate.reason, rejected};
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
