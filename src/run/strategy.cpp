// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/strategy.hpp"
#include "base/error.hpp"
#include <set>

namespace sino {

int input_lanes (const Net &net, const NetNode &node, const std::vector<Layout> &layouts)
{
  if (!node.task->takes_lanes ())
    return 1;
  int lanes = 0;
  for (const int producer : node.producers) {
    if (producer < 0 || net.nodes[static_cast<size_t> (producer)].format->kind () != Kind::sinograms)
      continue;
    const int here = layouts[static_cast<size_t> (producer)].lanes;
    if (lanes != 0 && lanes != here)
      fail (SINO_ERROR_BAD_FORMAT,
            "%s: its inputs have %d and %d lanes: give their 'interleave' nodes the same lanes=", node.title.c_str (),
            lanes, here);
    lanes = here;
  }
  return std::max (lanes, 1);
}

std::vector<Layout> settle_layouts (const Net &net, const Device &device)
{
  const auto count = net.nodes.size ();
  std::vector<int> wanted (count, 1);
  for (size_t n = count; n-- > 0;)
    for (const auto &[consumer, port] : net.nodes[n].consumers) {
      const auto &taker = net.nodes[static_cast<size_t> (consumer)];
      wanted[n] = std::max (wanted[n], naming (taker.title, [&] {
                              return taker.task->wanted_lanes (device, wanted[static_cast<size_t> (consumer)]);
                            }));
    }
  std::vector<Layout> layouts (count);
  for (size_t n = 0; n < count; n++) {
    const auto &node = net.nodes[n];
    const int input = input_lanes (net, node, layouts);
    if (node.is_sink () || node.format->kind () != Kind::sinograms)
      continue;
    layouts[n].lanes = naming (node.title, [&] { return node.task->output_lanes (input, wanted[n]); });
  }
  return layouts;
}

namespace {

// Whether one row of the output needs all rows of an input.
bool needs_all_rows (const Net &net, int n)
{
  const auto &node = net.nodes[static_cast<size_t> (n)];
  for (size_t port = 0; port < node.producers.size (); port++) {
    const auto *input = net.input (n, port);
    const auto wanted = [&] { return node.task->demand (port, *input, Rows (0, 1)).size (); };
    if (input && input->rows () > 1 && naming (node.title, wanted) == input->rows ())
      return true;
  }
  return false;
}

// Whether a materialised copy of the node's output could pay.
bool worth_cutting (const Net &net, const std::vector<Layout> &layouts, int n)
{
  const auto &node = net.nodes[static_cast<size_t> (n)];
  if (node.is_sink () || layouts[static_cast<size_t> (n)].lanes > 1 || node.format->kind () == Kind::sinograms)
    return false;
  const auto &format = *node.format;
  if (node.is_source ()) {
    const auto some = std::min<int64_t> (format.rows (), 16);
    const auto share = format.bytes () * static_cast<double> (some) / static_cast<double> (format.rows ());
    return node.task->access () == Access::once || bytes_read (node, Rows (0, some)) > 1.5 * share;
  }
  return needs_all_rows (net, n) || node.consumers.size () > 1 || (node.gathers () && format.kind () == Kind::other);
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
  bool wide; // takes all rows at once, in order of the angles
  int level = 0;
  std::set<int> nodes; // upstream, to see which targets share their sources
};

class Cutter
{
public:
  Cutter (const Net &n, const std::vector<Layout> &l, const Strategy &s)
      : net (n), layouts (l), strategy (s), cuts (s.cuts.begin (), s.cuts.end ())
  {
    for (size_t i = 0; i < net.nodes.size (); i++) {
      const auto &node = net.nodes[i];
      if (cuts.count (static_cast<int> (i)))
        targets.push_back ({static_cast<int> (i), true, true, 0, {}});
      if (node.is_sink ())
        targets.push_back ({static_cast<int> (i), false, node.task->whole_projections (), 0, {}});
    }
    for (auto &target : targets)
      settle (target);
  }

  std::vector<Pass> passes ()
  {
    std::vector<Pass> list;
    int last = 0;
    for (const auto &target : targets)
      last = std::max (last, target.level);
    for (int level = 1; level <= last; level++)
      for (const bool wide : {true, false}) {
        std::vector<const Target *> left;
        for (const auto &target : targets)
          if (target.level == level && (strategy.single ? !wide : target.wide == wide))
            left.push_back (&target);
        while (!left.empty ())
          list.push_back (build (take_group (left)));
      }
    return list;
  }

private:
  // A wide target goes on through a saved stream in the same pass; one that had to be collected first is read back.
  bool passes_through (const Target &target, int n) const
  {
    return target.wide && !net.nodes[static_cast<size_t> (n)].gathers ();
  }

  void settle (Target &target)
  {
    target.level = 1;
    walk (target, target.node, true);
  }

  void walk (Target &target, int n, bool self)
  {
    if (!target.nodes.insert (n).second)
      return;
    if (!self && cuts.count (n)) {
      const auto &saved =
          *std::find_if (targets.begin (), targets.end (), [n] (const Target &t) { return t.save && t.node == n; });
      const bool through = passes_through (target, n);
      target.level = std::max (target.level, saved.level + (through ? 0 : 1));
      if (!through)
        return;
    }
    for (const int producer : net.nodes[static_cast<size_t> (n)].producers)
      if (producer >= 0)
        walk (target, producer, false);
  }

  static bool touch (const Target &a, const Target &b)
  {
    return std::any_of (a.nodes.begin (), a.nodes.end (), [&] (int n) { return b.nodes.count (n) > 0; });
  }

  bool same_rows (const Target &a, const Target &b) const
  {
    const auto rows = [this] (const Target &t) { return net.nodes[static_cast<size_t> (t.node)].format->rows (); };
    return a.wide || strategy.single || rows (a) == rows (b);
  }

  // Takes out the first target and all that share nodes with it, however indirectly.
  std::vector<const Target *> take_group (std::vector<const Target *> &left) const
  {
    std::vector<const Target *> group{left.front ()};
    left.erase (left.begin ());
    for (size_t i = 0; i < group.size (); i++)
      for (auto it = left.begin (); it != left.end ();) {
        if (touch (*group[i], **it) && same_rows (*group[i], **it)) {
          group.push_back (*it);
          it = left.erase (it);
        } else
          ++it;
      }
    return group;
  }

  Pass build (const std::vector<const Target *> &group) const
  {
    std::set<int> nodes, saved;
    Pass pass;
    for (const auto *target : group) {
      if (target->save)
        saved.insert (target->node);
      else
        pass.whole = pass.whole || target->wide || strategy.single;
    }
    for (const auto *target : group)
      collect (target->node, saved, nodes);
    std::vector<int> place (net.nodes.size (), -1);
    for (const int n : nodes) { // rising: producers come before consumers
      const bool load = cuts.count (n) && !saved.count (n);
      place[static_cast<size_t> (n)] = add (pass, load ? Stage::Role::load : Stage::Role::task, n, place);
      if (saved.count (n))
        add (pass, Stage::Role::save, n, place);
    }
    for (const auto &stage : pass.stages)
      if (!stage.is_target ())
        pass.row_step = std::max<int64_t> (pass.row_step, stage.layout.lanes);
      else if (stage.role != Stage::Role::save && !net.nodes[static_cast<size_t> (stage.node)].is_sink ())
        fail (SINO_ERROR_FAILED, "%s: planned without anything that takes its output",
              net.nodes[static_cast<size_t> (stage.node)].title.c_str ());
    return pass;
  }

  // What a pass needs for a node: all that is upstream, up to streams that an earlier pass kept.
  void collect (int n, const std::set<int> &saved, std::set<int> &nodes) const
  {
    if (!nodes.insert (n).second || (cuts.count (n) && !saved.count (n)))
      return;
    for (const int producer : net.nodes[static_cast<size_t> (n)].producers)
      if (producer >= 0)
        collect (producer, saved, nodes);
  }

  int add (Pass &pass, Stage::Role role, int n, const std::vector<int> &place) const
  {
    const auto &node = net.nodes[static_cast<size_t> (n)];
    Stage stage;
    stage.role = role;
    stage.node = n;
    stage.format = node.format;
    stage.layout = layouts[static_cast<size_t> (n)];
    const int index = static_cast<int> (pass.stages.size ());
    const auto take = [&] (int producer, int port) {
      stage.producers.push_back (producer);
      if (producer >= 0)
        pass.stages[static_cast<size_t> (producer)].consumers.emplace_back (index, port);
    };
    if (role == Stage::Role::save)
      take (place[static_cast<size_t> (n)], 0);
    else if (role == Stage::Role::task)
      for (size_t port = 0; port < node.producers.size (); port++) {
        const int producer = node.producers[port];
        take (producer < 0 ? -1 : place[static_cast<size_t> (producer)], static_cast<int> (port));
      }
    pass.stages.push_back (std::move (stage));
    return index;
  }

  const Net &net;
  const std::vector<Layout> &layouts;
  const Strategy &strategy;
  std::set<int> cuts;
  std::vector<Target> targets;
};

} // namespace

std::vector<Pass> cut_into_passes (const Net &net, const std::vector<Layout> &layouts, const Strategy &strategy)
{
  return Cutter (net, layouts, strategy).passes ();
}

} // namespace sino
