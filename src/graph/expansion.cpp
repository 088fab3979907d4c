// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/expansion.hpp"
#include "base/named-error.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"

namespace sino {

static void set (const Node &node, const Expansion::Setting &setting)
{
  try {
    set_property (node, setting.property, setting.word);
  } catch (const Error &e) {
    if (setting.origin.empty ())
      throw;
    throw_again (e, text ("property '%s' sets an inner node: ", setting.origin.c_str ()) + e.what ());
  }
}

Inner build (Expansion expansion, const std::vector<bool> &connected)
{
  Inner inner;
  auto &graph = inner.graph;
  for (auto &part : expansion.parts) {
    const auto place = part.task ? graph.add (std::move (part.task), part.name) : graph.add (part.type, part.name);
    const auto &node = graph.nodes ()[place];
    if (!has_output (node.task.get ()))
      fail (SINO_ERROR_BAD_GRAPH, "%s has no output: a node that stands for others must not hold sinks",
            title (node).c_str ());
    for (const auto &setting : part.settings)
      set (node, setting);
    inner.sets = inner.sets || !part.settings.empty ();
  }
  for (const auto &[from, to, input] : expansion.wires)
    graph.connect (from, to, input);
  OpenEnds open{{}, {expansion.output}};
  for (const auto &feed : expansion.feeds)
    if (connected.at (feed.port)) {
      open.inputs.emplace_back (feed.to, feed.input);
      inner.feeds.push_back (feed);
    }
  std::ranges::stable_sort (inner.feeds, {}, &Expansion::Feed::to);
  inner.order = graph.order (open);
  inner.output = expansion.output;
  inner.why = std::move (expansion.why);
  inner.spare = std::move (expansion.spare);
  return inner;
}

} // namespace sino
