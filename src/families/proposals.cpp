// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/proposals.hpp"
#include "base/text.hpp"
#include "device/opencl.hpp"
#include "families/table.hpp"
#include "families/tuned.hpp"
#include "families/tuning-table.hpp"
#include <algorithm>

namespace sino::families {

namespace {

// Returns problem.lanes, or, if these are free, the largest suitable number up to `proposed`.
int fitting_lanes (const Kernel &kernel, int proposed, const Problem &problem)
{
  if (problem.lanes > 0)
    return problem.lanes;
  for (const int lanes : lanes_for (kernel, problem.rows))
    if (lanes <= proposed)
      return lanes;
  return kernel.lanes[0];
}

// Puts proposals for this number of lanes before those for others, but leaves the defaults for all devices at the end.
void put_exact_first (std::vector<Proposal> &list, int lanes)
{
  const auto fit_all = std::ranges::find (list, default_of_all, &Proposal::origin);
  for (const auto &[begin, end] : {std::pair{list.begin (), fit_all}, {fit_all, list.end ()}})
    std::stable_partition (begin, end, [&] (const auto &each) { return each.lanes == lanes; });
}

// Sorts by predicted speed, the fastest first.
std::vector<Proposal> by_model (std::vector<Proposal> list, const OpenclDevice &device, const Family &family,
                                const Problem &problem)
{
  const auto predict = family.model (device, problem);
  std::vector<std::pair<Prediction, Proposal>> rated;
  for (auto &each : list)
    rated.emplace_back (predict (each), each);
  std::ranges::stable_sort (rated, [] (const auto &a, const auto &b) { return a.first.rate > b.first.rate; });
  list.clear ();
  for (auto &[prediction, each] : rated) {
    if (prediction.rate > 0) {
      each.origin = "model";
      each.reason = text ("predicted %.3g GUPS", 1e-9 * prediction.rate) +
                    (prediction.limit.empty () ? "" : ", limited by " + prediction.limit);
    }
    list.push_back (std::move (each));
  }
  return list;
}

} // namespace

std::vector<Proposal> proposals (const OpenclDevice &device, const Family &family, const Problem &problem,
                                 bool modelled)
{
  const auto facts = device.facts ();
  auto list = tabled (family, facts, problem);
  if (const int lanes = problem.lanes > 0 ? problem.lanes : problem.rows == 2 ? 2 : 0; lanes > 0)
    put_exact_first (list, lanes);
  for (auto &each : list)
    each.lanes = fitting_lanes (*each.setting.kernel, each.lanes, problem);
  if (modelled && family.model && architecture_of (family, facts).empty ())
    list = by_model (std::move (list), device, family, problem);
  // A tuned kernel is used only with the number of lanes that it was tuned with.
  const auto put_first = [&] (std::optional<Proposal> found) {
    if (found && !family.picks_lanes)
      found->lanes = problem.lanes;
    if (found && fitting_lanes (*found->setting.kernel, found->lanes, problem) == found->lanes)
      list.insert (list.begin (), *found);
  };
  put_first (tuned (device, family, problem.with_lanes (0)));
  if (problem.lanes > 0)
    put_first (tuned (device, family, problem));
  return list;
}

} // namespace sino::families
