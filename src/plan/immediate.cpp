// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/immediate.hpp"
#include "base/error.hpp"
#include "glue/watches.hpp"

namespace sino {

static bool is_immediate (const Net &net, const Stage &stage)
{
  return stage.role == Stage::Role::task && facet<Watches> (*net.node (stage.node).task).immediate ();
}

// The stage that holds back what comes to a stage, directly or through others; -1: none.
static int holder_before (const Net &net, const Pass &pass, int s)
{
  for (int at = s;; at = pass.stage (at).producers[0]) {
    const auto &stage = pass.stage (at);
    if (stage.held)
      return at;
    if (stage.producers.empty ())
      return -1;
    const auto &task = *net.node (stage.node).task;
    if (stage.role == Stage::Role::task && (task.collects (0) || facet<Holds> (task).holds_back (0)))
      return at;
  }
}

void check_immediate (const Net &net, const std::vector<Pass> &passes)
{
  for (const auto &pass : passes)
    for (size_t s = 0; s < pass.stages.size (); s++)
      if (const auto &stage = pass.stages[s]; is_immediate (net, stage))
        if (const int holder = holder_before (net, pass, stage.producers[0]); holder >= 0) {
          const auto &node = net.node (stage.node);
          const auto &other = net.node (pass.stage (holder).node).title;
          throw NamedError (SINO_ERROR_BAD_GRAPH,
                            text ("%s: must see each projection as soon as it comes, but %s before it holds them back: "
                                  "put %s before that node",
                                  node.title.c_str (), other.c_str (), node.name.c_str ()),
                            node.name);
        }
}

bool save_memory (const Net &net, int step)
{
  bool any = false;
  for (const auto &node : net.nodes)
    if (auto *watches = dynamic_cast<Watches *> (node.task.get ()))
      any = naming (node, [&] { return watches->save_memory (step); }) || any;
  return any;
}

bool is_immediate (const Net &net, const Pass &pass)
{
  return std::ranges::any_of (pass.stages, [&] (const Stage &stage) { return is_immediate (net, stage); });
}

int64_t blocks_ahead (const Net &net, const Pass &pass)
{
  int64_t most = 0;
  std::vector<int64_t> blocks (pass.stages.size ()); // that a stage and those before it may have in flight
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    for (const int producer : stage.producers)
      if (producer >= 0)
        blocks[s] = std::max (blocks[s], blocks[static_cast<size_t> (producer)]);
    if (is_immediate (net, stage))
      most = std::max (most, blocks[s]);
    blocks[s] += stage.sizes.pool;
  }
  return most;
}

} // namespace sino
