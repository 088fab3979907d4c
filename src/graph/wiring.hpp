// SPDX-License-Identifier: LGPL-3.0-or-later
// Paths along the edges of a graph.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <vector>

namespace sino {

struct Edge {
  size_t from, to; // places in Graph::nodes
  size_t input;    // port of `to`

  friend bool operator== (const Edge &, const Edge &) = default;
};

// The edges of a graph, and those at each node: steps from a node take time for its own edges only.
class SINO_VISIBLE Wiring
{
public:
  void add_node () { ends.emplace_back (); }
  void add (const Edge &edge);

  const std::vector<Edge> &edges () const { return list; }
  // Places in edges (), in the order in which they were made.
  const std::vector<size_t> &into (size_t node) const { return ends[node].in; }
  const std::vector<size_t> &out_of (size_t node) const { return ends[node].out; }

  // Whether edges lead from one node to another, or to itself. Looks from both ends in turn until one of them has
  // nothing more to see, so an edge that makes a chain longer costs little, at whichever end.
  bool leads (size_t from, size_t to) const;

  // The nodes on a shortest path, both ends included, or nothing.
  std::vector<size_t> path (size_t from, size_t to) const;

private:
  struct Ends {
    std::vector<size_t> in, out;
  };
  std::vector<Edge> list;
  std::vector<Ends> ends;
};

} // namespace sino
