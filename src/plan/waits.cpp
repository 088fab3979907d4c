// SPDX-License-Identifier: LGPL-3.0-or-later
// Builds a directed graph of waits. Its points:
//   join (stage, port)  a block that has come to the port: it waits until the ports before and after it are served;
//   before, after       what the ports before, and after, a port of a stage wait for;
//   late (stage)        everything that must be complete before the stage puts out its first block;
//   all (stage)         the stage has put out its whole work item;
//   flow (stage)        blocks of the stage can move on: to the stages after it, up to one that collects.
// all (stage) needs that blocks of the stage, and of every stage before it, can move on. A stream has to be held if its
// blocks wait for themselves, so if join (stage, port) is on a circle.
#include "plan/waits.hpp"
#include <algorithm>

namespace sino {

namespace {

class Waits
{
public:
  explicit Waits (const std::vector<std::vector<WaitInput>> &s) : stages (s), joins (s.size ())
  {
    size_t n = 3 * stages.size ();
    for (size_t stage = 0; stage < stages.size (); stage++) {
      joins[stage] = n;
      n += 3 * stages[stage].size ();
    }
    next.resize (n);
    for (size_t stage = 0; stage < stages.size (); stage++) {
      next[all (stage)].push_back (flow (stage));
      for (size_t port = 0; port < stages[stage].size (); port++)
        add (stage, port);
    }
  }

  size_t join (size_t stage, size_t port) const { return joins[stage] + 3 * port; }
  const std::vector<std::vector<size_t>> &edges () const { return next; }

private:
  const std::vector<std::vector<WaitInput>> &stages;
  std::vector<size_t> joins; // index of the first join of each stage
  std::vector<std::vector<size_t>> next;

  static size_t late (size_t stage) { return 3 * stage; }
  static size_t all (size_t stage) { return 3 * stage + 1; }
  static size_t flow (size_t stage) { return 3 * stage + 2; }
  size_t before (size_t stage, size_t port) const { return join (stage, port) + 1; }
  size_t after (size_t stage, size_t port) const { return join (stage, port) + 2; }

  void add (size_t stage, size_t port)
  {
    next[join (stage, port)] = {before (stage, port), after (stage, port)};
    const bool first = port == 0, last = port + 1 == stages[stage].size ();
    if (!first)
      next[before (stage, port)].push_back (before (stage, port - 1));
    if (!last)
      next[after (stage, port)].push_back (after (stage, port + 1));
    const auto [from, collects] = stages[stage][port];
    if (from < 0)
      return;
    const auto producer = static_cast<size_t> (from);
    const auto awaited = collects ? all (producer) : late (producer);
    if (!first)
      next[after (stage, port - 1)].push_back (awaited);
    if (!last)
      next[before (stage, port + 1)].push_back (awaited);
    next[late (stage)].push_back (awaited);
    next[all (stage)].push_back (all (producer));
    next[flow (producer)].push_back (join (stage, port));
    if (!collects)
      next[flow (producer)].push_back (flow (stage));
  }
};

// Tarjan's search for the points that are on a circle, without recursion: chains may be long.
class Circles
{
public:
  explicit Circles (const std::vector<std::vector<size_t>> &e) : edges (e), places (e.size ()), circles (e.size ())
  {
    for (size_t start = 0; start < edges.size (); start++)
      if (places[start].number == 0)
        walk (start);
  }

  bool on_one (size_t point) const { return circles[point]; }

private:
  struct Place {
    size_t number = 0, low = 0; // order of discovery, 0: not seen; lowest number that is known to be reachable
    size_t edge = 0;            // next edge to follow
    bool open = false;          // whether it is on `group`
  };
  const std::vector<std::vector<size_t>> &edges;
  std::vector<Place> places;
  std::vector<bool> circles;
  std::vector<size_t> way, group;
  size_t seen = 0;

  void walk (size_t start)
  {
    for (enter (start); !way.empty ();) {
      const auto here = way.back ();
      auto &place = places[here];
      if (place.edge == edges[here].size ()) {
        leave (here);
        continue;
      }
      const auto there = edges[here][place.edge++];
      if (places[there].number == 0)
        enter (there);
      else if (places[there].open)
        place.low = std::min (place.low, places[there].number);
    }
  }

  void enter (size_t point)
  {
    places[point] = {.number = ++seen, .low = seen, .edge = 0, .open = true};
    way.push_back (point);
    group.push_back (point);
  }

  void leave (size_t point)
  {
    const auto &place = places[point];
    way.pop_back ();
    if (!way.empty ())
      places[way.back ()].low = std::min (places[way.back ()].low, place.low);
    if (place.low < place.number)
      return;
    const bool circle = group.back () != point; // no point has an edge to itself
    for (bool last = false; !last;) {
      const auto member = group.back ();
      group.pop_back ();
      places[member].open = false;
      circles[member] = circle;
      last = member == point;
    }
  }
};

} // namespace

std::vector<std::vector<bool>> find_held (const std::vector<std::vector<WaitInput>> &stages)
{
  const Waits waits (stages);
  const Circles circles (waits.edges ());
  std::vector<std::vector<bool>> held;
  for (size_t stage = 0; stage < stages.size (); stage++) {
    held.emplace_back (stages[stage].size ());
    for (size_t port = 0; port < stages[stage].size (); port++)
      held[stage][port] = circles.on_one (waits.join (stage, port));
  }
  return held;
}

} // namespace sino
