// SPDX-License-Identifier: LGPL-3.0-or-later
// Builds the parts of a composite as the nodes of a graph.
#pragma once
#include "glue/composite.hpp"
#include "graph/graph.hpp"
#include <algorithm>
#include <span>

namespace sino {

struct Inner {
  Graph graph;
  std::vector<size_t> order;          // its nodes in order, sources first
  std::vector<Expansion::Feed> feeds; // inputs of its nodes that the composite's ports feed, by node
  size_t output = 0;                  // the node that gives the composite's output
  bool sets = false;                  // sets properties of nodes
  std::string why, spare;

  std::span<const Expansion::Feed> feeds_of (size_t node) const
  {
    const auto range = std::ranges::equal_range (feeds, node, {}, &Expansion::Feed::to);
    return {range.begin (), range.end ()};
  }
};

// Throws on wrong properties, on sinks, and on ends that are left open; messages name the part and the composite's
// property that set the part's. `connected` says for each port of the composite whether something feeds it.
SINO_VISIBLE Inner build (Expansion expansion, const std::vector<bool> &connected);

} // namespace sino
