// SPDX-License-Identifier: LGPL-3.0-or-later
// The header for programs in C++: who owns a reference, and calls that throw.
#include <sino-object-ptr.hpp>
#include <sinograph.h>
#include <string>
#include <vector>

using sino::call;
using sino::CallError;
using sino::GObjectPtr;
using Graph = GObjectPtr<SinoGraph>;

static_assert (std::is_nothrow_move_constructible_v<Graph> && std::is_copy_constructible_v<Graph>);
static_assert (!std::is_convertible_v<SinoGraph *, Graph>, "whose a plain pointer is has to be said");
static_assert (sizeof (Graph) == sizeof (SinoGraph *));

namespace {

guint references (const Graph &graph)
{
  return G_OBJECT (graph.get ())->ref_count;
}

void test_references ()
{
  Graph first (sino_graph_new ());
  g_assert_cmpuint (references (first), ==, 1);
  {
    const Graph copy = first; // NOLINT(performance-unnecessary-copy-initialization): is what is tested
    g_assert_true (copy == first);
    g_assert_cmpuint (references (first), ==, 2);
  }
  g_assert_cmpuint (references (first), ==, 1);
  Graph moved = std::move (first);
  g_assert_false (static_cast<bool> (first)); // NOLINT(bugprone-use-after-move): is what is tested
  g_assert_cmpuint (references (moved), ==, 1);
  first = moved;
  g_assert_cmpuint (references (moved), ==, 2);
  const Graph &same = first;
  first = same;
  g_assert_cmpuint (references (moved), ==, 2);
  moved = Graph (sino_graph_new ());
  g_assert_cmpuint (references (first), ==, 1);
  std::vector<Graph> many (5, first);
  g_assert_cmpuint (references (first), ==, 6);
  many.clear ();
  const auto borrowed = Graph::shared (first.get ());
  g_assert_cmpuint (references (first), ==, 2);
  g_assert_false (static_cast<bool> (Graph::shared (nullptr)));
}

void test_end ()
{
  gpointer left = nullptr;
  SinoGraph *plain = nullptr;
  {
    Graph graph (sino_graph_new ());
    left = graph.get ();
    g_object_add_weak_pointer (G_OBJECT (graph.get ()), &left);
    plain = graph.release ();
    g_assert_null (graph.get ());
  }
  g_assert_nonnull (left);
  Graph again (plain);
  again.reset ();
  again.reset ();
  g_assert_null (left);
}

void test_calls ()
{
  const std::string line = "simulate width=8 height=2 projections=2 ! null";
  const Graph graph (call (sino_graph_new_from_launch, line.c_str ()));
  const GObjectPtr<SinoRunner> runner (sino_runner_new ());
  g_assert_true (call (sino_runner_run, runner.get (), graph.get (), nullptr));
}

void test_errors ()
{
  const Graph graph (sino_graph_new ());
  try {
    call (sino_graph_set, graph.get (), "nobody", "width", "8");
    g_assert_not_reached ();
  } catch (const CallError &error) {
    g_assert_true (error.matches (SINO_ERROR, SINO_ERROR_BAD_GRAPH));
    g_assert_false (error.matches (SINO_ERROR, SINO_ERROR_FAILED));
    g_assert_cmpuint (error.domain (), ==, SINO_ERROR);
    g_assert_cmpint (error.code (), ==, SINO_ERROR_BAD_GRAPH);
    g_assert_cmpstr (error.what (), ==, "no node is named 'nobody'");
  }
  // Who does not look at codes catches what every program catches.
  bool caught = false;
  try {
    call (sino_graph_new_from_launch, "");
  } catch (const std::runtime_error &error) {
    caught = *error.what () != '\0';
  }
  g_assert_true (caught);
}

} // namespace

int main (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/object-ptr/references", test_references);
  g_test_add_func ("/object-ptr/end", test_end);
  g_test_add_func ("/object-ptr/calls", test_calls);
  g_test_add_func ("/object-ptr/errors", test_errors);
  return g_test_run ();
}
