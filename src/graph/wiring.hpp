// SPDX-License-Identifier: LGPL-3.0-or-later
// Paths along the edges of a graph.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <vector>

namespace sino {

struct Edge {
  size_t from, to; // indices in Graph::nodes
  size_t input;    // port of `to`

  friend bool operator== (const Edge &, const Edge &) = default;
};

// The edges of a graph, also listed by node: a step from a node takes time only for its own edges.
class SINO_VISIBLE Wiring
{
public:
  void add_node () { ends.emplace_back (); }
  void add (const Edge &edge);

  const std::vector<Edge> &edges () const { return list; }
  // Indices in edges (), in the order of their creation.
  const std::vector<size_t> &into (size_t node) const { return ends[node].in; }
  const std::vector<size_t> &out_of (size_t node) const { return ends[node].out; }

  // Whether edges lead from one node to another, or to itself. Searches from both ends in turn until one search is
  // complete, so an edge that extends a chain at either end costs little.
  bool leads (size_t from, size_t to) const;

  // The nodes on a shortest path, both ends included; empty if there is none.
  std::vector<size_t> path (size_t from, size_t to) const;

private:
  struct Ends {
    std::vector<size_t> in, out;
  };
  std::vector<Edge> list;
  std::vector<Ends> ends;
};

} // namespace sino
