// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/choice.hpp"
#include "back-project/opencl/image.hpp"
#include "back-project/opencl/kept.hpp"
#include "back-project/opencl/measure.hpp"
#include "back-project/opencl/trial.hpp"
#include "base/error.hpp"
#include "device/program-cache.hpp"
#include <algorithm>

namespace sino::back_project {

namespace {

// Why kernels were passed over. Those with the same fault are told together.
class Rejections
{
public:
  void add (const Setting &setting, int lanes, const std::string &why)
  {
    const auto who = setting.text () + text (" with %d lane%s", lanes, lanes == 1 ? "" : "s");
    const auto same = std::find_if (list.begin (), list.end (), [&] (const auto &known) { return known.why == why; });
    if (same == list.end ())
      list.push_back ({{who}, why});
    else if (std::find (same->who.begin (), same->who.end (), who) == same->who.end ())
      same->who.push_back (who);
  }
  std::vector<std::string> lines () const
  {
    std::vector<std::string> all;
    for (const auto &[names, why] : list) {
      std::string line = names[0];
      for (size_t i = 1; i < names.size (); i++)
        line.append (i + 1 < names.size () ? ", " : " and ").append (names[i]);
      all.push_back (line.append (": ").append (why));
    }
    return all;
  }
  bool kept = false; // on the disk, for one of them

private:
  struct Rejected {
    std::vector<std::string> who;
    std::string why;
  };
  std::vector<Rejected> list;
};

// As asked for, or those proposed as far as the slices fill them.
int fitting_lanes (const Variant &variant, int proposed, int asked, int64_t slices)
{
  if (asked > 0)
    return asked;
  for (const int lanes : lanes_for (variant, slices))
    if (lanes <= proposed)
      return lanes;
  return variant.lanes[0];
}

// Parameters that were found for other lanes come after those that were found for these, but not after those that fit
// any device.
void put_exact_first (std::vector<TunedChoice> &list, int lanes)
{
  const auto fit_all =
      std::find_if (list.begin (), list.end (), [] (const auto &c) { return c.origin == default_of_all; });
  for (const auto &[begin, end] : {std::pair{list.begin (), fit_all}, {fit_all, list.end ()}})
    std::stable_partition (begin, end, [&] (const auto &choice) { return choice.lanes == lanes; });
}

// Those of the wish, with all lanes that there may be.
std::vector<TunedChoice> wished (std::vector<TunedChoice> list, const Wish &wish, int asked, int64_t slices, bool gpu)
{
  std::erase_if (list, [&] (const auto &choice) { return choice.setting.variant != wish.variant; });
  const auto &variant = *find_variant (wish.variant);
  auto lanes = asked > 0 ? std::vector{asked} : lanes_for (variant, slices);
  const int usual = !list.empty () ? list[0].lanes : gpu ? 4 : 16;
  std::stable_partition (lanes.begin (), lanes.end (), [&] (int n) { return n <= usual; });
  if (!wish.parameters.empty ())
    list.clear ();
  const auto setting = parse_setting (wish.variant, wish.parameters);
  for (const int n : lanes)
    list.push_back ({setting, n, "wish", "as asked for"});
  return list;
}

std::optional<Choice> first_that_runs (const std::vector<TunedChoice> &candidates, const OpenclDevice &device,
                                       Problem problem, Rejections &rejected)
{
  for (const auto &candidate : candidates) {
    problem.lanes = candidate.lanes;
    auto why = refusal (device, candidate.setting, problem);
    if (why.empty ()) {
      const auto answer = trial (device, candidate.setting, problem);
      why = answer.text;
      rejected.kept = rejected.kept || (answer.lasting && !why.empty ());
    }
    if (why.empty ())
      return Choice{candidate.setting, problem.lanes, candidate.origin, candidate.reason, rejected.lines ()};
    rejected.add (candidate.setting, problem.lanes, why);
  }
  return {};
}

// The best of all lanes, or what was tuned for its lanes alone.
std::optional<Choice> choose_freely (const OpenclDevice &device, Problem problem, int64_t slices, Rejections &rejected)
{
  problem.lanes = 0;
  auto choice = first_that_runs (proposals (device, problem, slices, true), device, problem, rejected);
  if (choice)
    if (const auto kept = kept_choice (device, situation_of (problem, slices), choice->lanes)) {
      Rejections unused;
      if (auto better = first_that_runs ({*kept}, device, problem, unused))
        return better;
    }
  return choice;
}

[[noreturn]] void fail_all (const OpenclDevice &device, const Wish &wish, const Rejections &rejected)
{
  std::string reasons = ":";
  if (rejected.kept)
    reasons =
        text (" (what is wrong with kernels is kept in '%s'; remove that to try again):", program_folder ().c_str ());
  for (const auto &line : rejected.lines ())
    reasons += "\n  " + line;
  fail (SINO_ERROR_DEVICE, "no kernel on %s (%s) can do this%s%s", device.id.c_str (), device.name.c_str (),
        wish.variant == "auto" ? "" : text (" with variant=%s", wish.variant.c_str ()).c_str (), reasons.c_str ());
}

} // namespace

std::vector<int> lanes_for (const Variant &variant, int64_t slices)
{
  std::vector<int> list{variant.lanes[0]};
  for (const int lanes : variant.lanes)
    if (lanes > list[0] && lanes < 2 * slices)
      list.insert (list.begin (), lanes);
  return list;
}

std::vector<TunedChoice> proposals (const OpenclDevice &device, const Problem &problem, int64_t slices, bool measured)
{
  const auto facts = device.facts ();
  const auto situation = situation_of (problem, slices);
  const int asked = problem.lanes;
  auto list = tuned_choices (facts, situation);
  if (const int lanes = asked > 0 ? asked : slices == 2 ? 2 : 0; lanes > 0)
    put_exact_first (list, lanes);
  for (auto &choice : list)
    choice.lanes = fitting_lanes (variant_of (choice.setting), choice.lanes, asked, slices);
  if (measured && family_of (facts).empty ())
    list = by_model (std::move (list), facts, situation, measure (device, facts, situation));
  // What was tuned counts with the lanes that it was tuned with.
  const auto put_first = [&] (const std::optional<TunedChoice> &kept) {
    if (kept && fitting_lanes (variant_of (kept->setting), kept->lanes, asked, slices) == kept->lanes)
      list.insert (list.begin (), *kept);
  };
  put_first (kept_choice (device, situation, 0));
  if (asked > 0)
    put_first (kept_choice (device, situation, asked));
  return list;
}

Choice choose (const OpenclDevice &device, const Problem &problem, int64_t slices, const Wish &wish)
{
  Rejections rejected;
  std::optional<Choice> choice;
  if (wish.variant != "auto") {
    const auto list = wished (proposals (device, problem, slices, false), wish, problem.lanes, slices, device.is_gpu);
    choice = first_that_runs (list, device, problem, rejected);
  } else {
    choice = choose_freely (device, problem, slices, rejected);
    if (problem.lanes > 0 && !(choice && choice->lanes == problem.lanes)) {
      rejected = {};
      choice = first_that_runs (proposals (device, problem, slices, true), device, problem, rejected);
    }
  }
  if (!choice)
    fail_all (device, wish, rejected);
  return *choice;
}

} // namespace sino::back_project
