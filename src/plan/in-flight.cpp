// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/in-flight.hpp"
#include "glue/several.hpp"
#include "plan/waits.hpp"
#include <algorithm>

namespace sino {

bool gathers (const Net &net, const Stage &stage)
{
  return stage.role == Stage::Role::task && net.node (stage.node).gathers ();
}

// Whether a block of the port may come before a block of the output leaves.
static bool holds_back (const Task &task, size_t port)
{
  return task.collects (port) || facet<Holds> (task).holds_back (port);
}

void mark_held (const Net &net, Pass &pass)
{
  std::vector<std::vector<WaitInput>> inputs;
  for (const auto &stage : pass.stages) {
    const bool task = stage.role == Stage::Role::task;
    auto &list = inputs.emplace_back ();
    for (size_t port = 0; port < stage.producers.size (); port++)
      list.push_back ({stage.producers[port], task && holds_back (*net.node (stage.node).task, port)});
  }
  const auto held = find_held (inputs);
  for (size_t s = 0; s < held.size (); s++)
    for (size_t port = 0; port < held[s].size (); port++)
      if (held[s][port])
        pass.stage (pass.stages[s].producers[port]).held = true;
}

namespace {

// A stage whose blocks come from storage.
bool reads (const Net &net, const Stage &stage)
{
  return stage.role == Stage::Role::load || (stage.role == Stage::Role::task && net.node (stage.node).is_source ());
}

bool fills_late (const PlanInput &in, const Stage &stage)
{
  return std::ranges::all_of (in.devices, [&] (const auto &device) {
    return facet<Holds> (*in.net.node (stage.node).task).fills_late (*device);
  });
}

// Blocks that the stage and its consumers have under way, beyond one for each.
int64_t others_under_way (const Net &net, const Pass &pass, const Stage &stage)
{
  int of_consumers = 1;
  for (const auto &[consumer, port] : stage.consumers)
    of_consumers = std::max (of_consumers, pass.stage (consumer).sizes.at_once);
  return of_consumers - 1 + (gathers (net, stage) ? 0 : stage.sizes.at_once - 1);
}

// Blocks that a source, or a sink that takes its blocks, has in flight, beyond one.
int64_t more_in_flight (const Pass &pass, const Stage &stage)
{
  int most = stage.sizes.requests;
  for (const auto &[consumer, port] : stage.consumers)
    most = std::max (most, pass.stage (consumer).sizes.requests);
  return most - 1;
}

} // namespace

bool works_meanwhile (const PlanInput &in, const Stage &stage)
{
  constexpr double enough = 0.25; // of the work
  return stage.role == Stage::Role::task && std::ranges::all_of (in.devices, [&] (const auto &device) {
           return facet<Holds> (*in.net.node (stage.node).task).share_late (*device) >= enough;
         });
}

int64_t pool_of (const PlanInput &in, const Pass &pass, const Stage &stage, int depth)
{
  if (!in.read_ahead && reads (in.net, stage))
    depth = 0;
  const auto more = others_under_way (in.net, pass, stage),
             usual = 1 + std::ssize (stage.consumers) + depth + more_in_flight (pass, stage),
             some = std::min (stage.sizes.blocks * 2, usual) + more;
  if (!gathers (in.net, stage))
    return some;
  if (!fills_late (in, stage)) // the blocks of the next work item come while those of this one are used
    return stage.sizes.blocks * (pass.items.size () > 1 ? depth : std::min (depth, 1)) + more;
  // Blocks of one work item can be written while the next one is computed.
  return pass.items.size () > 1 && depth > 1 && !works_meanwhile (in, stage) ? std::max (some, stage.sizes.blocks)
                                                                             : some;
}

int blocks_at_once (const PlanInput &in, const Stage &stage)
{
  if (stage.role != Stage::Role::task)
    return 1;
  return blocks_at_once (*in.net.node (stage.node).task, in.device (), in.threads);
}

bool waits_for_frames (const Net &net, const Pass &pass)
{
  return std::ranges::any_of (pass.stages, [&net] (const Stage &stage) {
    const auto &node = net.node (stage.node);
    return stage.role == Stage::Role::task && node.is_source () && facet<Embedded> (*node.task).waits_outside () &&
           !facet<Embedded> (*node.task).gathers_all () && facet<Reads> (*node.task).access () == Access::once;
  });
}

static bool shows_filling (const PlanInput &in, const Stage &stage)
{
  return stage.role == Stage::Role::task && facet<Holds> (*in.net.node (stage.node).task).shows_filling (in.device ());
}

int64_t rows_ahead (const PlanInput &in, const Pass &pass, const Stage &stage)
{
  const bool can = stage.role == Stage::Role::task && pass.items.size () == 1 && in.threads > 1 &&
                   facet<WorksAhead> (*in.net.node (stage.node).task).works_ahead (in.device ()) &&
                   waits_for_frames (in.net, pass) && shows_filling (in, pass.stage (stage.producers[0]));
  return can ? pass.stage (stage.producers[0]).format->rows () : 0;
}

int requests_of (const PlanInput &in, const Stage &stage)
{
  const auto &node = in.net.node (stage.node);
  if (stage.role != Stage::Role::task || (!in.read_ahead && node.is_source ()))
    return 1;
  const auto &task = *node.task;
  const int wanted = naming (node, [&] {
    return node.is_source () ? facet<Reads> (task).requests (in.threads) : facet<Writes> (task).requests (in.threads);
  });
  return std::max (wanted, 1);
}

} // namespace sino
