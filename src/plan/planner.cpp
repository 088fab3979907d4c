// SPDX-License-Identifier: LGPL-3.0-or-later
// Looks for the cheapest way to cut the graph into passes that fit.
#include "plan/planner.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "plan/beside.hpp"
#include "plan/bill.hpp"
#include "plan/cost.hpp"
#include "plan/demand.hpp"
#include "plan/immediate.hpp"
#include "plan/in-flight.hpp"
#include "plan/sizing.hpp"
#include "plan/strategy.hpp"
#include <algorithm>
#include <numeric>
#include <tuple>

namespace sino {

namespace {

// Number of times that sources which can be read only once are needed again, or in parts.
int repeated_reads (const Net &net, const Plan &plan)
{
  int wrong = 0;
  std::vector<bool> read (net.nodes.size ());
  for (const auto &pass : plan.passes) {
    std::vector<Rows> rows; // rows of the first work item, once something needs to know
    for (size_t s = 0; s < pass.stages.size (); s++) {
      const auto &stage = pass.stages[s];
      const auto n = static_cast<size_t> (stage.node);
      const auto &node = net.nodes[n];
      if (stage.role != Stage::Role::task || !node.is_source () || facet<Reads> (*node.task).access () != Access::once)
        continue;
      if (rows.empty ())
        rows = demanded_rows (net, pass, pass.items[0]);
      wrong += pass.items.size () > 1 || rows[s].size () != stage.format->rows ();
      wrong += read[n];
      read[n] = true;
    }
  }
  return wrong;
}

// A plan and its defects. Plans are compared by defects first, then by cost.
struct Tried {
  Plan plan;
  Strategy strategy;
  int repeated = 0;           // reads of sources that can be read once
  double excess = 0;          // bytes beyond the limit, sum of all passes
  double short_of = 0;        // bytes beyond the limit, worst pass
  double device_short_of = 0; // bytes beyond a device's memory, worst pass

  bool good () const { return repeated == 0 && excess <= 0; }
  bool better_than (const Tried &o) const
  {
    return std::tie (repeated, excess, plan.cost) < std::tie (o.repeated, o.excess, o.plan.cost);
  }
};

Tried try_stores (const PlanInput &in, const std::vector<DeviceGroup> &groups, const Strategy &strategy, bool in_memory)
{
  Tried tried;
  tried.strategy = strategy;
  auto &plan = tried.plan;
  plan.base = in.base;
  plan.limit = in.limit;
  double before = in.base; // memory when the passes begin
  for (const auto &node : in.net.nodes)
    before += static_cast<double> (total (shared_bill (node)));
  for (const int n : strategy.cuts) {
    plan.stores.push_back ({n, in_memory, in.net.node (n).format->bytes ()});
    if (in_memory)
      before += plan.stores.back ().bytes;
  }
  const double room = in.limit - before;
  double most = 0;
  plan.passes = cut_into_passes (in.net, groups, strategy);
  for (auto &pass : plan.passes) {
    if (!size_on_all (in, pass, room, plan.stores)) {
      const auto memory = pass.all_memory (), device_excess = pass.most_device_excess ();
      tried.excess += std::max (memory - room, 0.0) + device_excess;
      tried.short_of = std::max (tried.short_of, memory - room);
      tried.device_short_of = std::max (tried.device_short_of, device_excess);
    }
    most = std::max (most, pass.all_memory ());
    plan.cost += pass.cost.total;
  }
  plan.peak = before + most;
  tried.repeated = repeated_reads (in.net, plan);
  return tried;
}

Tried try_strategy (const PlanInput &in, const std::vector<DeviceGroup> &groups, const Strategy &strategy)
{
  step_unless_cancelled ();
  Tried tried = try_stores (in, groups, strategy, true);
  if (!strategy.cuts.empty ())
    if (Tried scratch = try_stores (in, groups, strategy, false); scratch.better_than (tried))
      return scratch;
  return tried;
}

} // namespace

// The device that exceeds its memory most.
static const Device &shortest_device (const PlanInput &in, const Plan &plan)
{
  double most = 0;
  const Device *found = &in.device ();
  for (const auto &pass : plan.passes)
    pass.each ([&] (const Pass &own) {
      if (own.memory.device_excess > most) {
        most = own.memory.device_excess;
        found = own.devices->front ().get ();
      }
    });
  return *found;
}

// Message for a plan that does not fit: the task that needs more than a third of the limit; "" if there is none.
static std::string greediest (const PlanInput &in, const Plan &plan)
{
  double most = 0;
  int greedy = -1;
  for (const auto &pass : plan.passes) {
    for (size_t s = 0; s < pass.stages.size (); s++) {
      if (pass.stages[s].role != Stage::Role::task)
        continue;
      double taken = 0;
      for (const auto &item : worker_bill (in, pass, s, in.device ()))
        taken += item.where == BillItem::Where::host ? static_cast<double> (item.all ()) : 0;
      if (taken > most) {
        most = taken;
        greedy = pass.stages[s].node;
      }
    }
  }
  if (greedy < 0 || 3 * most < in.limit)
    return {};
  const auto &node = in.net.node (greedy);
  auto found = text ("; %s alone needs %s", node.title.c_str (), bytes_text (most).c_str ());
  for (int c = node.composite; c >= 0; c = in.net.composite (c).composite)
    if (const auto &outer = in.net.composite (c); !outer.inner.spare.empty ())
      return found + text (", %s needs less with %s", outer.title.c_str (), outer.inner.spare.c_str ());
  return found;
}

namespace {

// Lower bound of the cost of any plan: each stream is read or computed once, only as far as it is needed.
double least_cost (const PlanInput &in, const std::vector<DeviceGroup> &groups)
{
  std::vector<double> least (in.net.nodes.size ());
  for (auto &pass : cut_into_passes (in.net, groups, {})) {
    pass.items = {{0, {}}}; // one with all rows
    const auto rows = demanded_rows (in.net, pass, pass.items[0]);
    for (size_t s = 0; s < pass.stages.size (); s++)
      if (const auto &stage = pass.stages[s]; !stage.is_target ()) {
        auto &known = least[static_cast<size_t> (stage.node)];
        known = std::max (known, cost_of_output (in.net, stage, rows[s]));
      }
  }
  return std::accumulate (least.begin (), least.end (), 0.0);
}

// Making a plan takes time for each node, so only some of very many candidates are tried: first sources that can be
// read only once, for they may have to be kept, then others spread over the graph.
constexpr size_t most_tries = 64;

std::vector<int> some_of (const Net &net, std::vector<int> candidates)
{
  if (candidates.size () <= most_tries)
    return candidates;
  const auto others = std::stable_partition (candidates.begin (), candidates.end (), [&net] (int n) {
    const auto &node = net.node (n);
    return node.is_source () && facet<Reads> (*node.task).access () == Access::once;
  });
  const auto first = std::min (static_cast<size_t> (others - candidates.begin ()), most_tries / 2);
  std::vector<int> some (candidates.begin (), candidates.begin () + static_cast<ptrdiff_t> (first));
  const auto left = candidates.size () - first, wanted = most_tries - first;
  for (size_t i = 0; i < wanted; i++)
    some.push_back (candidates[first + (2 * i + 1) * left / (2 * wanted)]);
  return some;
}

} // namespace

// Adjusts the passes of a plan to their expected time. Strategies are compared before, by bytes moved, with work items
// of a size that suits every machine. Only the best one is adjusted, which takes a few more plans of each pass.
static Plan paced (const PlanInput &in, Plan plan)
{
  const auto largest = [&plan] {
    double most = 0;
    for (const auto &pass : plan.passes)
      most = std::max (most, pass.all_memory ());
    return most;
  };
  const double before = plan.peak - largest ();
  for (auto &pass : plan.passes)
    pace_on_all (in, pass, plan.limit - before, plan.stores);
  bool came = false; // an earlier pass has taken the projections
  for (auto &pass : plan.passes) {
    if (came)
      pass.expected.left = pass.expected.seconds;
    came = came || waits_for_frames (in.net, pass);
  }
  plan.peak = before + largest ();
  return plan;
}

// Adds cuts one by one, each time the one that helps most, until none helps.
static Tried best_cut (const PlanInput &in, const std::vector<DeviceGroup> &groups)
{
  const auto candidates = cut_candidates (in.net, groups[0].layouts);
  const auto least = least_cost (in, groups);
  Tried best = try_strategy (in, groups, {});
  for (Tried base = best;;) {
    Tried next = base;
    auto left = candidates;
    std::erase_if (left, [&] (int n) {
      const bool too_dear = base.good () && base.plan.cost < least + least_store_cost (in.net, n);
      return too_dear || std::ranges::count (base.strategy.cuts, n);
    });
    for (const int n : some_of (in.net, left)) {
      Strategy longer = base.strategy;
      longer.cuts.push_back (n);
      if (Tried tried = try_strategy (in, groups, longer); tried.better_than (next))
        next = std::move (tried);
    }
    if (next.strategy.cuts.size () == base.strategy.cuts.size ())
      break;
    base = best = std::move (next);
  }
  if (Tried single = try_strategy (in, groups, {{}, true}); single.better_than (best))
    best = std::move (single);
  return best;
}

// Groups of devices with fewer lanes; empty if streams meet and only some of them can have fewer.
static std::vector<DeviceGroup> with_fewer_lanes (const PlanInput &in)
{
  try {
    return group_devices (in);
  } catch (const Error &e) {
    if (e.code != SINO_ERROR_BAD_FORMAT)
      throw;
    return {};
  }
}

// Halves the number of lanes until layouts change.
static bool take_fewer_lanes (PlanInput &in, std::vector<DeviceGroup> &groups)
{
  while (in.most_lanes > 1) {
    in.most_lanes /= 2;
    auto fewer = with_fewer_lanes (in);
    if (fewer.empty () || std::ranges::equal (fewer, groups, {}, &DeviceGroup::layouts, &DeviceGroup::layouts))
      continue;
    groups = std::move (fewer);
    return true;
  }
  return false;
}

// The best plan, with fewer lanes if memory is short.
static Tried best_lanes (PlanInput &in)
{
  in.most_lanes = all_lanes;
  auto groups = group_devices (in);
  check_immediate (in.net, cut_into_passes (in.net, groups, {}));
  auto best = best_cut (in, groups);
  while (best.excess > 0 && take_fewer_lanes (in, groups))
    best = best_cut (in, groups);
  return best;
}

Plan make_plan (const PlanInput &input)
{
  auto in = input;
  save_memory (in.net, 0);
  auto best = best_lanes (in);
  for (int step = 1; best.excess > 0 && save_memory (in.net, step); step++)
    best = best_lanes (in);
  if (best.good ()) {
    best.plan.most_lanes = in.most_lanes;
    return paced (in, std::move (best.plan));
  }
  if (best.repeated > 0)
    fail (SINO_ERROR_BAD_GRAPH, "a source that can be read only once would be read several times");
  if (const auto &short_device = shortest_device (in, best.plan); best.short_of <= 0)
    fail (SINO_ERROR_MEMORY,
          "the smallest work item needs %s on %s (%s), which is %s more than %s: %sreconstruct a smaller region, or "
          "use fewer lanes",
          bytes_text (short_device.room () + best.device_short_of).c_str (), short_device.id.c_str (),
          short_device.name.c_str (), bytes_text (best.device_short_of).c_str (),
          short_device.use.memory > 0 ? "--device-memory allows" : "a run may use of its memory",
          short_device.use.memory > 0 ? "raise --device-memory, " : "");
  const double allowance = allowance_of (in.devices);
  fail (
      SINO_ERROR_MEMORY,
      "the smallest work item needs %s, which is %s more than the memory limit of %s (of it %s are taken before the "
      "run: "
      "%s in use, and %s set aside for thread stacks and libraries)%s: raise --memory or reconstruct a smaller region",
      bytes_text (in.limit + best.short_of).c_str (), bytes_text (best.short_of).c_str (),
      bytes_text (in.limit).c_str (), bytes_text (in.base).c_str (), bytes_text (in.base - allowance).c_str (),
      bytes_text (allowance).c_str (), greediest (in, best.plan).c_str ());
}

} // namespace sino
