// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/launch-writer.hpp"
#include "graph/launch-words.hpp"
#include "graph/properties.hpp"
#include <algorithm>

namespace sino {

namespace {

std::string node_text (const Node &node)
{
  auto words = node.type;
  if (node.name != node.type)
    words += " name=" + launch_word (node.name);
  for (auto *spec : list_properties (G_OBJECT_TYPE (node.task.get ())))
    if (is_set (node.task.get (), spec))
      words += std::string (" ") + spec->name + "=" + launch_word (property_text (node.task.get (), spec));
  return words;
}

// Chains along first inputs; the other edges follow as "from. ! to.1".
class Writer
{
public:
  explicit Writer (const Graph &g) : graph (g), placed (g.nodes ().size ()), drawn (g.edges ().size ()) {}

  std::string line ()
  {
    for (const auto node : graph.order ())
      if (!placed[node])
        add_chain (node);
    for (size_t e = 0; e < drawn.size (); e++)
      if (!drawn[e])
        add (name_of (graph.edges ()[e].from) + ". ! " + name_of (graph.edges ()[e].to) + "." +
             std::to_string (graph.edges ()[e].input));
    return out;
  }

private:
  const Graph &graph;
  std::vector<bool> placed, drawn;
  std::string out;

  const std::string &name_of (size_t node) const { return graph.nodes ()[node].name; }
  void add (const std::string &chain) { out += (out.empty () ? "" : "   ") + chain; }

  void add_chain (size_t first)
  {
    std::string chain;
    for (const auto e : graph.wiring ().into (first))
      if (const auto &edge = graph.edges ()[e]; edge.input == 0 && placed[edge.from]) {
        chain = name_of (edge.from) + ". ! ";
        drawn[e] = true;
      }
    for (auto node = first;;) {
      placed[node] = true;
      chain += node_text (graph.nodes ()[node]);
      const auto &onwards = graph.wiring ().out_of (node);
      const auto next = std::ranges::find_if (
          onwards, [&] (size_t e) { return graph.edges ()[e].input == 0 && !placed[graph.edges ()[e].to]; });
      if (next == onwards.end ())
        break;
      drawn[*next] = true;
      chain += " ! ";
      node = graph.edges ()[*next].to;
    }
    add (chain);
  }
};

} // namespace

std::string launch_line (const Graph &graph)
{
  return Writer (graph).line ();
}

} // namespace sino
