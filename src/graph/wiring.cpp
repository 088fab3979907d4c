// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/wiring.hpp"
#include <algorithm>
#include <unordered_set>

namespace sino {

void Wiring::add (const Edge &edge)
{
  ends[edge.from].out.push_back (list.size ());
  ends[edge.to].in.push_back (list.size ());
  list.push_back (edge);
}

namespace {

// A depth-first search from a node in one direction, edge by edge.
class Search
{
public:
  explicit Search (size_t start) : seen{start}, trail{start} {}

  bool has_seen (size_t node) const { return seen.contains (node); }
  bool over () const { return trail.empty (); }
  size_t node () const { return trail.back (); }

  // Follows the next of the edges at node (); `other` returns the node at the other end of an edge. Returns that node,
  // or the same node if no edge is left there.
  template <class Other> size_t step (const std::vector<size_t> &edges, Other other)
  {
    const size_t here = trail.back ();
    if (next == edges.size ()) {
      trail.pop_back ();
      next = resume.empty () ? 0 : resume.back ();
      if (!resume.empty ())
        resume.pop_back ();
      return here;
    }
    const size_t there = other (edges[next++]);
    if (seen.insert (there).second) {
      resume.push_back (next);
      trail.push_back (there);
      next = 0;
    }
    return there;
  }

private:
  std::unordered_set<size_t> seen;
  std::vector<size_t> trail, resume; // the path to node (), and the next edge of each earlier node on it
  size_t next = 0;
};

} // namespace

bool Wiring::leads (size_t from, size_t to) const
{
  if (from == to)
    return true;
  for (Search down (from), up (to);;) {
    if (down.over () || up.over ())
      return false;
    if (up.has_seen (down.step (out_of (down.node ()), [this] (size_t e) { return list[e].to; })))
      return true;
    if (down.has_seen (up.step (into (up.node ()), [this] (size_t e) { return list[e].from; })))
      return true;
  }
}

std::vector<size_t> Wiring::path (size_t from, size_t to) const
{
  const auto n = ends.size ();
  std::vector<size_t> came_from (n, n), todo{from};
  for (size_t next = 0; next < todo.size () && todo.back () != to; next++)
    for (const auto e : out_of (todo[next])) {
      const auto there = list[e].to;
      if (came_from[there] != n || there == from)
        continue;
      came_from[there] = todo[next];
      todo.push_back (there);
      if (there == to)
        break;
    }
  if (todo.back () != to)
    return {};
  std::vector<size_t> nodes;
  for (auto at = to; at != n; at = came_from[at])
    nodes.push_back (at);
  std::ranges::reverse (nodes);
  return nodes;
}

} // namespace sino
