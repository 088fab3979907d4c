// SPDX-License-Identifier: LGPL-3.0-or-later
// Compares the strategies and keeps the cheapest that fits.
#include "run/strategy.hpp"
#include <cmath>

namespace sino {

namespace {

// A source that can be read once must be needed once, in whole, in one work item.
bool reads_once (const Net &net, const Plan &plan)
{
  for (size_t n = 0; n < net.nodes.size (); n++) {
    const auto &node = net.nodes[n];
    if (!node.is_source () || node.task->access () != Access::once)
      continue;
    int passes = 0;
    for (const auto &pass : plan.passes)
      for (size_t s = 0; s < pass.stages.size (); s++) {
        const auto &stage = pass.stages[s];
        if (stage.role != Stage::Role::task || stage.node != static_cast<int> (n))
          continue;
        passes++;
        if (pass.items.size () > 1 || demanded_rows (net, pass, pass.items[0])[s].size () != stage.format->rows ())
          return false;
      }
    if (passes > 1)
      return false;
  }
  return true;
}

struct Tried {
  bool fits = false;
  double short_of = 0; // bytes beyond the limit
};

Tried try_strategy (const PlanInput &in, const std::vector<Layout> &layouts, const Strategy &strategy, bool in_memory,
                    Plan &plan)
{
  plan = {};
  plan.base = in.base;
  plan.limit = in.limit;
  double room = in.limit - in.base;
  for (const auto &node : in.net.nodes)
    room -= static_cast<double> (node.task->resident ());
  for (const int n : strategy.cuts) {
    plan.stores.push_back ({n, in_memory, in.net.nodes[static_cast<size_t> (n)].format->bytes ()});
    if (in_memory)
      room -= plan.stores.back ().bytes;
  }
  double most = 0, worst = 0;
  plan.passes = cut_into_passes (in.net, layouts, strategy);
  for (auto &pass : plan.passes) {
    if (!size_pass (in, pass, room, plan.stores))
      worst = std::max (worst, pass.memory - room);
    most = std::max (most, pass.memory);
    plan.cost += pass.cost;
  }
  plan.peak = in.limit - room + most;
  return {worst <= 0, worst};
}

} // namespace

Plan make_plan (const PlanInput &in)
{
  const auto layouts = settle_layouts (in.net, in.device);
  Plan best, plan;
  bool found = false, once = false;
  double least = INFINITY;
  for (const auto &strategy : strategies (in.net, layouts))
    for (const bool in_memory : {true, false}) {
      if (!in_memory && strategy.cuts.empty ())
        continue;
      const auto tried = try_strategy (in, layouts, strategy, in_memory, plan);
      if (!tried.fits) {
        least = std::min (least, tried.short_of);
        continue;
      }
      if (!reads_once (in.net, plan)) {
        once = true;
        continue;
      }
      if (!found || plan.cost < best.cost) {
        best = plan;
        found = true;
      }
    }
  if (found)
    return best;
  if (once && !std::isfinite (least))
    fail (SINO_ERROR_BAD_GRAPH, "a source that can be read once only would be needed several times");
  fail (SINO_ERROR_MEMORY,
        "the smallest work item needs %s, which is %s more than the memory limit of %s (%s of it are in use before the "
        "run): raise --memory or reconstruct a smaller region",
        bytes_text (in.limit + least).c_str (), bytes_text (least).c_str (), bytes_text (in.limit).c_str (),
        bytes_text (in.base).c_str ());
}

} // namespace sino
