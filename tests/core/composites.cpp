// SPDX-License-Identifier: LGPL-3.0-or-later
// Nodes that stand for others: their parts run in their place, with names, messages and numbers that tell both.
#include "glue/composite.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "plan/net.hpp"
#include "tests/core/scans.hpp"
#include "tests/support/expect.hpp"

namespace sino::test::composites_test {

namespace {

using Inputs = std::span<const Format *const>;

// Two factors one after the other.
struct Pair final : Composite {
  static constexpr Info info{"test-pair", "Multiply by a factor twice"};
  std::string factor = "2";
  static constexpr Property properties[] = {prop<&Pair::factor> ("factor", "Factor")};

  Expansion expand (Inputs inputs, const Site &site) const override
  {
    Expansion pair;
    pair.parts.push_back ({"first", "test-gain", {{"factor", factor, "factor"}}, {}});
    pair.parts.push_back ({"test-gain", "test-gain", {{"factor", factor, ""}}, {}});
    pair.wires = {{0, 1}};
    pair.feeds = {{0, 0}};
    pair.output = 1;
    pair.why = text ("%s twice for %s, %d threads on %s", factor.c_str (), inputs[0]->describe ().c_str (),
                     site.threads, site.device.id.c_str ());
    return pair;
  }
};

// The mean of all projections is subtracted from each: a port that feeds two parts.
struct Centre final : Composite {
  static constexpr Info info{"test-centre", "Subtract the mean projection"};

  Expansion expand (Inputs, const Site &) const override
  {
    Expansion centre; // the part that takes comes first, for order does not matter
    centre.parts.push_back ({"subtract", "subtract", {}, {}});
    centre.parts.push_back ({"mean", "mean-image", {}, {}});
    centre.wires = {{1, 0, 1}};
    centre.feeds = {{0, 0}, {0, 1}};
    return centre;
  }
};

// Composites in composites; with levels=-1 without end.
struct Nest final : Composite {
  static constexpr Info info{"test-nest", "Multiply by 2 on every level"};
  int levels = 2;
  static constexpr Property properties[] = {prop<&Nest::levels> ("levels", "Levels", {-1, 100})};

  Expansion expand (Inputs, const Site &) const override
  {
    Expansion nest;
    nest.parts.push_back ({"x", "test-gain", {}, {}});
    nest.feeds = {{0, 0}};
    if (levels == 0)
      return nest;
    nest.parts.push_back ({"n", "test-nest", {{"levels", text ("%d", std::max (levels - 1, -1)), "levels"}}, {}});
    nest.wires = {{0, 1}};
    nest.output = 1;
    return nest;
  }
};

struct Picky final : PointFilter {
  static constexpr Info info{"test-picky", "Refuse a number that can be set"};
  int number = 0;
  static constexpr Property properties[] = {prop<&Picky::number> ("number", "Number", {0, 9})};

  Format negotiate (Inputs) override { fail (SINO_ERROR_BAD_PROPERTY, "number=%d is odd", number); }
  std::unique_ptr<Worker> start (const Replica &) override { return nullptr; }
};

struct Faulty final : Composite {
  static constexpr Info info{"test-faulty", "Expand wrongly"};
  std::string fault;
  static constexpr Property properties[] = {prop<&Faulty::fault> ("fault", "What is wrong")};

  Expansion expand (Inputs, const Site &) const override
  {
    Expansion wrong;
    const auto add = [&] (const char *name, const char *type) { wrong.parts.push_back ({name, type, {}, {}}); };
    add ("gain", "test-gain");
    if (fault != "open-input")
      wrong.feeds = {{0, 0}};
    if (fault == "format") // is given projections
      wrong.parts[0].type = "test-fold";
    else if (fault == "sink")
      add ("keep", "test-keep");
    else if (fault == "source")
      add ("scan", "test-scan");
    else if (fault == "property")
      wrong.parts[0] = {"picky", "test-picky", {{"number", "3", "fault"}}, {}};
    else if (fault == "throws")
      fail (SINO_ERROR_BAD_FORMAT, "wants something else");
    return wrong;
  }
};

SINO_REGISTER (Pair)
SINO_REGISTER (Centre)
SINO_REGISTER (Nest)
SINO_REGISTER (Picky)
SINO_REGISTER (Faulty)

const Shape shape{30, 20, 16};

std::vector<std::string> through (const std::string &node)
{
  return {shape.text (), "c " + node, "keep test-keep", "source -> c", "c -> keep"};
}

std::vector<std::string> names_of (const Run &run)
{
  std::vector<std::string> names;
  for (const auto &task : run.statistics ().tasks)
    names.push_back (task.node);
  return names;
}

void parts_run ()
{
  execute (through ("test-pair factor=3"), options ());
  expect ("result", shape, true, [] (auto a, auto r, auto c) { return 9 * source_value (a, r, c); });

  Run run (build (through ("test-pair factor=3")), options ());
  run.prepare ();
  g_assert_true ((names_of (run) == std::vector<std::string>{"source", "c/first", "c/test-gain", "keep"}));
  const auto plan = run.describe ();
  const auto has = [&] (const std::string &line) {
    if (plan.find (line) == plan.npos)
      g_error ("no '%s' in:\n%s", line.c_str (), plan.c_str ());
  };
  has ("\n'c' (test-pair): 3 twice for f32 projections (angle 30, row 20, column 16), 2 threads on native\npass 1");
  has ("\n  'c/first' (test-gain) ");
  has ("\n  'c/test-gain'  ");
  g_assert_nonnull (strstr (run.dot ().c_str (), "\"'c/first' (test-gain)\""));
  run.execute ();
  for (const auto &task : run.statistics ().tasks) // each works on its own
    g_assert_cmpint (task.node == "keep" ? task.blocks_in : task.blocks_out, >, 0);
}

void one_port_feeds_two ()
{
  execute (through ("test-centre"), options ());
  expect ("result", shape, true,
          [] (auto a, auto r, auto c) { return source_value (a, r, c) - average (shape, r, c); });
}

void nested ()
{
  execute (through ("test-nest levels=2"), options ());
  expect ("result", shape, true, [] (auto a, auto r, auto c) { return 8 * source_value (a, r, c); });
  Run run (build (through ("test-nest levels=2")), options ());
  run.prepare ();
  g_assert_true ((names_of (run) == std::vector<std::string>{"source", "c/x", "c/n/x", "c/n/n/x", "keep"}));

  std::string chain = "c";
  for (int i = 0; i < 32; i++)
    chain += "/n";
  same (message_of ([] { negotiate (build (through ("test-nest levels=-1"))); }),
        "nodes that stand for other nodes, in more than 32 levels: " + chain);
  g_assert_cmpint (code_of ([] { negotiate (build (through ("test-nest levels=-1"))); }), ==, SINO_ERROR_BAD_GRAPH);
}

// Formats are told of the graph as it was written: as many as it has nodes, in their order.
void formats_are_of_the_graph ()
{
  auto lines = through ("test-nest");
  std::swap (lines[0], lines[2]);
  const auto formats = negotiate (build (lines));
  g_assert_cmpuint (formats.size (), ==, 3);
  for (const auto &format : formats)
    same (format.describe (), "f32 projections (angle 30, row 20, column 16)");
}

void messages ()
{
  const auto error = [] (const std::string &node) { return message_of ([&] { negotiate (build (through (node))); }); };
  same (error ("test-pair factor=1e9"), "'c' (test-pair): property 'factor' sets an inner node: 'first' (test-gain): "
                                        "property 'factor' wants a number from -1000000 to 1000000, got '1e9'");
  same (error ("test-faulty fault=property"),
        "'c/picky' (test-picky): number=3 is odd ('c' (test-faulty) sets its properties)");
  same (error ("test-faulty fault=throws"), "'c' (test-faulty), fed by 'source': wants something else");
  same (error ("test-faulty fault=format"),
        "'c/gain' (test-fold), fed by 'source': wants sinograms, got f32 projections (angle 30, row 20, column 16): "
        "put 'interleave' before it");
  same (error ("test-faulty fault=sink"),
        "'c' (test-faulty): 'keep' (test-keep) has no output: a node that stands for others must not hold sinks");
  same (error ("test-faulty fault=source"), "'c' (test-faulty): the output of 'scan' (test-scan) is not connected: "
                                            "connect it, to 'null' if it is not needed");
  same (error ("test-faulty fault=open-input"),
        "'c' (test-faulty): input 0 (data) of 'gain' (test-gain) is not connected");
  auto lines = through ("test-pair");
  lines.insert (lines.end (), {"c/first test-gain", "k test-keep key=k", "source -> c/first", "c/first -> k"});
  same (message_of ([&] { negotiate (build (lines)); }),
        "'c/first' is also the name of a node inside 'c': choose another");
  const Pair alone;
  same (message_of ([&] { Pair (alone).negotiate ({}); }),
        "stands for several nodes and cannot run alone: put it in a graph");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/composites/parts-run", parts_run);
  g_test_add_func ("/composites/one-port-feeds-two", one_port_feeds_two);
  g_test_add_func ("/composites/nested", nested);
  g_test_add_func ("/composites/formats-are-of-the-graph", formats_are_of_the_graph);
  g_test_add_func ("/composites/messages", messages);
  return g_test_run ();
}

} // namespace sino::test::composites_test
