// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/strategy.hpp"
#include "base/error.hpp"
#include "glue/watches.hpp"
#include "plan/in-flight.hpp"
#include <array>
#include <map>
#include <numeric>
#include <set>

namespace sino {

namespace {

// The node that computes the output of node `n`: skips tasks that do not alter their input. -1 for -1.
int giver (const Net &net, int n)
{
  while (n >= 0 && !net.node (n).task->alters ())
    n = net.node (n).producers[0];
  return n;
}

// Number of tasks that take a node's output, directly or through tasks that do not alter it.
size_t takers (const Net &net, int n)
{
  size_t number = 0;
  for (const auto &[consumer, port] : net.node (n).consumers)
    number += net.node (consumer).task->alters () ? 1 : takers (net, consumer);
  return number;
}

// Whether one row of the output needs all rows of an input.
bool needs_all_rows (const Net &net, int n)
{
  const auto &node = net.node (n);
  for (size_t port = 0; port < node.producers.size (); port++) {
    const auto *input = net.input (n, port);
    const auto wanted = [&] { return node.task->demand (port, *input, Rows (0, 1)).size (); };
    if (input && input->rows () > 1 && naming (node, wanted) == input->rows ())
      return true;
  }
  return false;
}

// Whether the node's output is collected, and neighbouring rows of the result need some of the same rows of it, so that
// every work item computes these again. Example: the filtered projections of a cone beam.
bool shared_by_rows (const Net &net, int n)
{
  const auto &node = net.node (n);
  return std::ranges::any_of (node.consumers, [&] (const auto &consumer) {
    const auto &[c, port] = consumer;
    const auto &taker = net.node (c);
    if (!taker.gathers () || taker.is_sink () || taker.format->rows () < 2)
      return false;
    const auto rows_of = [&, p = static_cast<size_t> (port)] (int64_t row) {
      return naming (taker, [&] { return taker.task->demand (p, *node.format, Rows (row, row + 1)); });
    };
    const auto middle = taker.format->rows () / 2;
    return !rows_of (middle - 1).meet (rows_of (middle)).empty ();
  });
}

// Whether it may be worth to keep the node's output between passes.
bool worth_cutting (const Net &net, const std::vector<Layout> &layouts, int n)
{
  const auto &node = net.node (n);
  if (node.is_sink () || !node.task->alters () || layouts[static_cast<size_t> (n)].lanes > 1 ||
      node.format->kind () == Kind::sinograms)
    return false;
  const auto &format = *node.format;
  if (node.is_source ()) {
    const auto some = std::min<int64_t> (format.rows (), 16);
    const auto share = format.bytes () * static_cast<double> (some) / static_cast<double> (format.rows ());
    return facet<Reads> (*node.task).access () == Access::once || bytes_read (node, Rows (0, some)) > 1.5 * share;
  }
  return needs_all_rows (net, n) || takers (net, n) > 1 || shared_by_rows (net, n) ||
         (node.gathers () && format.kind () == Kind::other);
}

} // namespace

std::vector<int> cut_candidates (const Net &net, const std::vector<Layout> &layouts)
{
  std::vector<int> candidates;
  for (size_t n = 0; n < net.nodes.size (); n++)
    if (worth_cutting (net, layouts, static_cast<int> (n)))
      candidates.push_back (static_cast<int> (n));
  return candidates;
}

namespace {

// A target of a pass: a sink, or a stream that is saved.
struct Target {
  int node;
  bool save;
  bool wide; // takes all rows at once, in order of angles
  int level = 0;
};

// Puts members of a list in one group if they share something, directly or through others.
class Groups
{
public:
  explicit Groups (size_t n) : parents (n) { std::iota (parents.begin (), parents.end (), size_t{0}); }

  size_t of (size_t i)
  {
    while (parents[i] != i)
      i = parents[i] = parents[parents[i]];
    return i;
  }
  // The first member represents the group.
  void join (size_t a, size_t b)
  {
    a = of (a);
    b = of (b);
    parents[std::max (a, b)] = std::min (a, b);
  }

private:
  std::vector<size_t> parents;
};

class Cutter
{
public:
  Cutter (const Net &n, const Strategy &s) : net (n), strategy (s), cuts (net.nodes.size ())
  {
    for (const int cut : s.cuts)
      cuts[static_cast<size_t> (cut)] = true;
    settle_levels ();
  }

  std::vector<Pass> passes () const
  {
    std::vector<Pass> list;
    int last = 0;
    for (const auto &target : targets)
      last = std::max (last, target.level);
    std::vector<std::array<std::vector<const Target *>, 2>> levels (static_cast<size_t> (last) + 1);
    for (const auto &target : targets)
      levels[static_cast<size_t> (target.level)][target.wide && !strategy.single ? 0 : 1].push_back (&target);
    for (const auto &level : levels)
      for (const auto &some : level)
        for (const auto &group : groups (some))
          list.push_back (build (group));
    return list;
  }

  // The pass that computes the input of a node's survey from the sources.
  Pass survey (int n) const
  {
    Pass pass;
    std::map<int, int> place;
    const int from = giver (net, net.node (n).producers[0]);
    const Target target{from, false, false};
    for (const int upstream : collect ({&target}, {}))
      place[upstream] = add (pass, Stage::Role::task, upstream, place);
    add (pass, Stage::Role::survey, n, place);
    return pass;
  }

private:
  bool is_cut (int n) const { return cuts[static_cast<size_t> (n)]; }

  // A wide target and a saved stream that it needs can be computed in one pass, unless the stream has to be collected
  // first; then it is read back.
  bool passes_through (bool wide, int n) const { return wide && !net.node (n).gathers (); }

  // Puts each target in a later pass than the streams that it reads back.
  void settle_levels ()
  {
    // Lowest level (number of the pass) of a target, narrow or wide, that takes from a node.
    std::array<std::vector<int>, 2> levels;
    for (auto &level : levels)
      level.assign (net.nodes.size (), 1);
    for (size_t i = 0; i < net.nodes.size (); i++) {
      const auto &node = net.nodes[i];
      const int n = static_cast<int> (i);
      const auto upstream = [&] (bool wide) {
        int level = 1;
        for (const int producer : node.producers)
          if (const int from = giver (net, producer); from >= 0)
            level = std::max (level, levels[wide][static_cast<size_t> (from)]);
        return level;
      };
      if (is_cut (n))
        targets.push_back ({n, true, true, upstream (true)});
      if (node.is_sink ()) {
        const bool all_rows =
            facet<Writes> (*node.task).whole_projections () || facet<Watches> (*node.task).immediate ();
        targets.push_back ({n, false, all_rows, upstream (all_rows)});
      }
      for (const bool wide : {false, true})
        levels[wide][i] = !is_cut (n)                ? upstream (wide)
                          : passes_through (wide, n) ? upstream (true)
                                                     : upstream (true) + 1;
    }
  }

  // Groups of targets that share nodes, and have equal numbers of rows if that matters. Ordered by the first target of
  // each group.
  std::vector<std::vector<const Target *>> groups (const std::vector<const Target *> &some) const
  {
    const auto rows = [this] (const Target &t) {
      return t.wide || strategy.single ? 0 : net.node (t.node).format->rows ();
    };
    std::map<int64_t, std::vector<size_t>> alike;
    for (size_t i = 0; i < some.size (); i++)
      alike[rows (*some[i])].push_back (i);
    Groups shared (some.size ());
    for (const auto &[number, list] : alike) {
      std::vector<Seen> seen (net.nodes.size ());
      for (const auto i : list)
        walk (some, i, seen, shared);
    }
    std::vector<std::vector<const Target *>> result;
    std::map<size_t, size_t> places;
    for (size_t i = 0; i < some.size (); i++) {
      const auto [found, first] = places.emplace (shared.of (i), result.size ());
      if (first)
        result.emplace_back ();
      result[found->second].push_back (some[i]);
    }
    return result;
  }

  struct Seen {
    size_t target = SIZE_MAX; // first target that needs this node
    bool passed = false;      // whether the search has continued upstream from here
  };

  void walk (const std::vector<const Target *> &some, size_t i, std::vector<Seen> &seen, Groups &shared) const
  {
    const auto &target = *some[i];
    for (std::vector<int> todo{target.node}; !todo.empty ();) {
      const int n = todo.back ();
      todo.pop_back ();
      auto &[first, passed] = seen[static_cast<size_t> (n)];
      if (first == SIZE_MAX)
        first = i;
      shared.join (first, i);
      if (passed || (n != target.node && is_cut (n) && !passes_through (target.wide, n)))
        continue;
      passed = true;
      for (const int producer : net.node (n).producers)
        if (const int from = giver (net, producer); from >= 0)
          todo.push_back (from);
    }
  }

  Pass build (const std::vector<const Target *> &group) const
  {
    std::set<int> saved;
    Pass pass;
    for (const auto *target : group) {
      if (target->save)
        saved.insert (target->node);
      else
        pass.whole = pass.whole || target->wide || strategy.single;
    }
    const auto nodes = collect (group, saved);
    std::map<int, int> place;   // for each node: index of the stage that gives its output
    for (const int n : nodes) { // rising: producers come before consumers
      const bool load = is_cut (n) && !saved.count (n);
      place[n] = add (pass, load ? Stage::Role::load : Stage::Role::task, n, place);
      pass.whole = pass.whole || (!load && facet<Holds> (*net.node (n).task).whole_volume ());
      if (saved.count (n))
        add (pass, Stage::Role::save, n, place);
    }
    for (const auto &stage : pass.stages)
      if (stage.is_target () && stage.role != Stage::Role::save && !net.node (stage.node).is_sink ())
        fail (SINO_ERROR_FAILED, "%s: planned without a node that takes its output",
              net.node (stage.node).title.c_str ());
    return pass;
  }

  // The nodes that a pass needs for its targets: all nodes upstream, up to streams that an earlier pass saved.
  std::set<int> collect (const std::vector<const Target *> &group, const std::set<int> &saved) const
  {
    std::set<int> nodes;
    std::vector<int> todo;
    for (const auto *target : group)
      todo.push_back (target->node);
    while (!todo.empty ()) {
      const int n = todo.back ();
      todo.pop_back ();
      if (!nodes.insert (n).second || (is_cut (n) && !saved.count (n)))
        continue;
      for (const int producer : net.node (n).producers)
        if (const int from = giver (net, producer); from >= 0)
          todo.push_back (from);
    }
    return nodes;
  }

  int add (Pass &pass, Stage::Role role, int n, const std::map<int, int> &place) const
  {
    const auto &node = net.node (n);
    Stage stage;
    stage.role = role;
    stage.node = n;
    stage.format = node.format;
    if (role == Stage::Role::survey)
      stage.format = net.node (node.producers[0]).format;
    const int index = static_cast<int> (pass.stages.size ());
    const auto take = [&] (int producer, int port) {
      stage.producers.push_back (producer);
      if (producer >= 0)
        pass.stage (producer).consumers.emplace_back (index, port);
    };
    if (role == Stage::Role::save)
      take (place.at (n), 0);
    else if (role == Stage::Role::survey)
      take (place.at (giver (net, node.producers[0])), 0);
    else if (role == Stage::Role::task)
      for (size_t port = 0; port < node.producers.size (); port++) {
        const int from = giver (net, node.producers[port]);
        take (from < 0 ? -1 : place.at (from), static_cast<int> (port));
      }
    pass.stages.push_back (std::move (stage));
    return index;
  }

  const Net &net;
  const Strategy &strategy;
  std::vector<bool> cuts; // for each node: whether its output is kept between passes
  std::vector<Target> targets;
};

} // namespace

std::vector<Pass> cut_into_passes (const Net &net, const std::vector<DeviceGroup> &groups, const Strategy &strategy)
{
  auto passes = Cutter (net, strategy).passes ();
  for (size_t p = 0; p < passes.size (); p++) {
    passes[p].number = static_cast<int> (p) + 1;
    mark_held (net, passes[p]);
    lay_out (passes[p], groups);
  }
  return passes;
}

Pass survey_pass (const Net &net, const std::vector<DeviceGroup> &groups, int node)
{
  auto pass = Cutter (net, {}).survey (node);
  mark_held (net, pass);
  lay_out (pass, groups);
  return pass;
}

} // namespace sino
