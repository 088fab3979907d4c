// SPDX-License-Identifier: LGPL-3.0-or-later
// Ways through graphs, their order, and streams that have to wait: the same as what the definitions say, on random
// graphs.
#include "plan/waits.hpp"
#include "graph/wiring.hpp"
#include <algorithm>
#include <glib.h>
#include <random>
#include <set>

namespace sino::test::waits_test {

namespace {

using Stages = std::vector<std::vector<WaitInput>>;
using Set = std::set<int>;

int up_to (std::mt19937 &random, int most)
{
  return static_cast<int> (random () % static_cast<unsigned> (most + 1));
}

// What lies upstream of a stage, itself included: on ways without a collector, and behind one.
void look_upstream (const Stages &stages, int stage, bool behind, Set &free, Set &late)
{
  if (!(behind ? late : free).insert (stage).second)
    return;
  for (const auto &[producer, collects] : stages[static_cast<size_t> (stage)])
    if (producer >= 0)
      look_upstream (stages, producer, behind || collects, free, late);
}

struct Port {
  size_t stage, port;
  Set flows, late; // what its blocks come from, and what must be complete before the first of them
};

bool meet (const Set &a, const Set &b)
{
  return std::any_of (a.begin (), a.end (), [&b] (int n) { return b.contains (n); });
}

// A block waits for all that other ports of its stage wait for, and for what joins wait for through which that comes.
Set awaited (const std::vector<Port> &ports, const Port &waiting)
{
  Set need;
  std::vector<const Port *> todo{&waiting};
  std::set<const Port *> done{&waiting};
  while (!todo.empty ()) {
    const auto *port = todo.back ();
    todo.pop_back ();
    for (const auto &other : ports)
      if (other.stage == port->stage && other.port != port->port)
        need.insert (other.late.begin (), other.late.end ());
    for (const auto &more : ports)
      if (meet (more.flows, need) && done.insert (&more).second)
        todo.push_back (&more);
  }
  return need;
}

std::vector<std::vector<bool>> held_by_definition (const Stages &stages)
{
  std::vector<Port> ports;
  std::vector<std::vector<bool>> held;
  for (size_t s = 0; s < stages.size (); s++) {
    held.emplace_back (stages[s].size ());
    for (size_t p = 0; p < stages[s].size (); p++) {
      const auto [producer, collects] = stages[s][p];
      if (producer < 0)
        continue;
      Port port{s, p, {}, {}};
      Set ignored, behind;
      look_upstream (stages, producer, false, port.flows, ignored);
      look_upstream (stages, producer, collects, behind, port.late);
      ports.push_back (std::move (port));
    }
  }
  for (const auto &port : ports)
    held[port.stage][port.port] = meet (port.flows, awaited (ports, port));
  return held;
}

void held ()
{
  std::mt19937 random (1);
  int64_t found = 0, free = 0;
  for (int round = 0; round < 3000; round++) {
    Stages stages (static_cast<size_t> (2 + up_to (random, 18)));
    const int collectors = up_to (random, 3), reach = 1 + up_to (random, 10);
    for (size_t s = 1; s < stages.size (); s++)
      for (int port = up_to (random, 3); port-- > 0;) {
        const int before = static_cast<int> (s) - 1;
        stages[s].push_back ({before - std::min (up_to (random, reach) - 1, before), up_to (random, 4) < collectors});
        if (stages[s].back ().producer > before)
          stages[s].back ().producer = -1; // not connected
      }
    const auto right = held_by_definition (stages);
    g_assert_true (find_held (stages) == right);
    for (const auto &stage : right)
      for (const bool port : stage)
        (port ? found : free)++;
  }
  g_assert_cmpint (found, >, 500); // both were tried
  g_assert_cmpint (free, >, 500);
}

// Chains that recursion would not stand.
void long_chains ()
{
  Stages stages (1000000);
  for (size_t s = 1; s < stages.size (); s++)
    stages[s] = {{static_cast<int> (s) - 1, s % 2 == 0}};
  stages.back ().push_back ({0, false});
  const auto held = find_held (stages);
  g_assert_false (held[1][0]);
  g_assert_true (held.back ()[1]); // the source waits for what is collected from it

  Wiring wiring;
  constexpr size_t n = 1000000;
  for (size_t i = 0; i < n; i++)
    wiring.add_node ();
  for (size_t i = 0; i + 1 < n; i++) { // each end in turn
    const auto from = i % 2 ? n / 2 + i / 2 : n / 2 - 1 - i / 2;
    g_assert_false (wiring.leads (from + 1, from));
    wiring.add ({from, from + 1, 0});
  }
  g_assert_true (wiring.leads (0, n - 1));
  g_assert_cmpuint (wiring.path (0, n - 1).size (), ==, n);
}

// Edges as they come, those that would close a circle left out.
void ways ()
{
  std::mt19937 random (2);
  int circles = 0;
  for (int round = 0; round < 300; round++) {
    const int nodes = 1 + up_to (random, 30);
    const auto n = static_cast<size_t> (nodes);
    const auto any = [&] { return static_cast<size_t> (up_to (random, static_cast<int> (n) - 1)); };
    Wiring wiring;
    std::vector<std::vector<bool>> reached (n, std::vector<bool> (n)); // by definition
    for (size_t i = 0; i < n; i++) {
      wiring.add_node ();
      reached[i][i] = true;
    }
    for (size_t edge = 0; edge < 3 * n; edge++) {
      const auto from = any (), to = any ();
      g_assert_true (wiring.leads (to, from) == reached[to][from]);
      const auto way = wiring.path (to, from);
      g_assert_true (way.empty () != reached[to][from]);
      for (size_t i = 0; i < way.size (); i++) {
        g_assert_cmpuint (way[i], ==, i == 0 ? to : way[i]);
        const auto out = i + 1 < way.size () ? wiring.out_of (way[i]) : std::vector<size_t> ();
        g_assert_true (i + 1 == way.size () || std::any_of (out.begin (), out.end (), [&] (size_t e) {
                         return wiring.edges ()[e].to == way[i + 1];
                       }));
      }
      if (reached[to][from]) {
        circles++;
        continue;
      }
      wiring.add ({from, to, 0});
      for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
          if (reached[a][from] && reached[to][b])
            reached[a][b] = true;
    }
  }
  g_assert_cmpint (circles, >, 500);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/waits/held", held);
  g_test_add_func ("/waits/long-chains", long_chains);
  g_test_add_func ("/waits/ways", ways);
  return g_test_run ();
}

} // namespace sino::test::waits_test
