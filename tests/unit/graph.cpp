// SPDX-License-Identifier: LGPL-3.0-or-later
// Nodes, edges, and what is refused about them.
#include "graph/graph.hpp"
#include "glue/binding.hpp"
#include "tests/support/expect.hpp"

namespace sino::test::graph_test {

static void names_are_unique ()
{
  Graph graph;
  g_assert_cmpuint (graph.add ("test-source"), ==, 0);
  graph.add ("test-source");
  graph.add ("test-source", "scan");
  graph.add ("test-source");
  same (graph.nodes ()[0].name, "test-source");
  same (graph.nodes ()[1].name, "test-source-2");
  same (graph.nodes ()[3].name, "test-source-3");
  graph.add ("test-source", "test-source-5");
  graph.add ("test-source");
  graph.add ("test-source");
  same (graph.nodes ()[5].name, "test-source-4");
  same (graph.nodes ()[6].name, "test-source-6");
  g_assert_cmpuint (graph.find ("scan"), ==, 2);
  g_assert_cmpuint (graph.find ("test-source-6"), ==, 6);
  same (title (graph.nodes ()[0]), "'test-source'");
  same (title (graph.nodes ()[2]), "'scan' (test-source)");

  same (message_of ([&] { graph.add ("test-filter", "scan"); }), "two nodes are named 'scan'");
  same (message_of ([&] { graph.find ("scam"); }), "no node is named 'scam': did you mean 'scan'?");
  same (message_of ([&] { graph.find ("zebra"); }), "no node is named 'zebra'");
  same (message_of ([&] { graph.add ("test-sorce"); }), "no node 'test-sorce': did you mean 'test-source'?");
  g_assert_cmpint (code_of ([&] { graph.add ("test-sorce"); }), ==, SINO_ERROR_NOT_FOUND);
}

static void edges_are_checked ()
{
  Graph graph;
  const auto source = graph.add ("test-source"), a = graph.add ("test-filter", "a"), b = graph.add ("test-filter", "b"),
             join = graph.add ("test-join"), sink = graph.add ("test-sink", "end");
  graph.connect (source, a);
  graph.connect (a, b);
  const auto refused = [&] (size_t from, size_t to, size_t input) {
    g_assert_cmpint (code_of ([&] { graph.connect (from, to, input); }), ==, SINO_ERROR_BAD_GRAPH);
    return message_of ([&] { graph.connect (from, to, input); });
  };
  same (refused (sink, b, 0), "'end' (test-sink) has no output: it cannot feed 'b' (test-filter)");
  same (refused (a, source, 0), "'test-source' has no inputs: 'a' (test-filter) cannot feed it");
  same (refused (a, join, 3), "'test-join' has no input 3: its inputs are 0 (left), 1 (right), 2 (more)");
  same (refused (source, b, 0),
        "input 0 (data) of 'b' (test-filter) is connected to 'a' (test-filter) already: 'test-source' "
        "cannot feed it too");
  graph.connect (b, join, 1);
  same (refused (join, join, 0), "the graph has a cycle: test-join -> test-join");
  g_assert_cmpuint (graph.edges ().size (), ==, 3); // what was refused left nothing behind

  Graph ring;
  for (const char *name : {"x", "y", "z"})
    ring.add ("test-join", name);
  ring.connect (0, 1);
  ring.connect (1, 2);
  same (message_of ([&] { ring.connect (2, 0); }), "the graph has a cycle: x -> y -> z -> x");
  ring.connect (0, 2, 1); // a diamond is no cycle
}

static void order_is_sources_first ()
{
  Graph graph;
  same (message_of ([&] { graph.order (); }), "the graph has no nodes");
  const auto sink = graph.add ("test-sink"), join = graph.add ("test-join"), filter = graph.add ("test-filter"),
             source = graph.add ("test-source");
  graph.connect (source, filter);
  graph.connect (filter, join, 0);
  graph.connect (join, sink);
  same (message_of ([&] { graph.order (); }), "input 1 (right) of 'test-join' is not connected");
  graph.connect (source, join, 1); // the third input is optional
  const std::vector<size_t> expected{source, filter, join, sink};
  g_assert_true (graph.order () == expected);

  graph.add ("test-source", "idle");
  same (message_of ([&] { graph.order (); }),
        "the output of 'idle' (test-source) is not connected: connect it, to 'null' if it is not needed");
}

namespace {

// Has as many inputs as its property says, and an output if there are any.
struct Shrinking final : Task {
  static constexpr Info info{"test-shrinking", "Has as many inputs as it is told"};
  static constexpr Port ports[] = {{"first", true}, {"second", true}};
  int count = 2;
  static constexpr Property properties[] = {prop<&Shrinking::count> ("count", "Number of inputs", {0, 2})};

  std::span<const Port> inputs () const override { return {ports, static_cast<size_t> (count)}; }
  bool has_output () const override { return count > 0; }
  Format negotiate (std::span<const Format *const> formats) override { return *formats[0]; }
  std::unique_ptr<Worker> start (const Replica &) override { return {}; }
};

} // namespace

static void ports_that_are_gone_are_noticed ()
{
  Graph graph;
  const auto source = graph.add ("test-source"), sink = graph.add ("test-sink");
  auto *task = SINO_TASK (g_object_new (Binding<Shrinking>::gtype (), nullptr));
  const auto node = graph.add (ObjectPtr<SinoTask> (task), "node");
  graph.connect (source, node, 1);
  graph.connect (node, sink);
  g_assert_cmpuint (graph.order ().size (), ==, 3);
  const auto title_of_node = title (graph.nodes ()[node]);
  g_object_set (task, "count", 1, nullptr);
  g_assert_cmpint (code_of ([&] { graph.order (); }), ==, SINO_ERROR_BAD_GRAPH);
  same (message_of ([&] { graph.order (); }), title_of_node + " no longer has the input 1 that 'test-source' feeds");
  g_object_set (task, "count", 0, nullptr);
  Graph other;
  other.add ("test-sink");
  other.add (ObjectPtr<SinoTask> (SINO_TASK (g_object_ref (task))), "node");
  same (message_of ([&] { other.connect (1, 0); }), title_of_node + " has no output: it cannot feed 'test-sink'");
  g_object_set (task, "count", 2, nullptr);
  other.connect (1, 0);
  g_object_set (task, "count", 0, nullptr);
  same (message_of ([&] { other.order (); }), title_of_node + " no longer has the output that feeds 'test-sink'");
}

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/graph/names", names_are_unique);
  g_test_add_func ("/graph/edges", edges_are_checked);
  g_test_add_func ("/graph/order", order_is_sources_first);
  g_test_add_func ("/graph/ports-that-are-gone", ports_that_are_gone_are_noticed);
  return g_test_run ();
}

} // namespace sino::test::graph_test
