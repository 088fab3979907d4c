// SPDX-License-Identifier: LGPL-3.0-or-later
// Launch lines: what they mean, as edges and properties, and every message about what is wrong with them.
#include "graph/launch.hpp"
#include "graph/json-reader.hpp"
#include "graph/json-writer.hpp"
#include "graph/launch-words.hpp"
#include "graph/properties.hpp"
#include "tests/support/expect.hpp"

namespace sino::test::launch_test {

namespace {

// "scan>a.0 a>end.0": the edges, sorted as they were made.
std::string edges (const std::string &line)
{
  const auto graph = parse_launch (line);
  const auto &nodes = graph.nodes ();
  return join (graph.edges (), " ", [&] (const Edge &edge) {
    return text ("%s>%s.%zu", nodes[edge.from].name.c_str (), nodes[edge.to].name.c_str (), edge.input);
  });
}

// The value of a property of the only node.
std::string value (const std::string &line, const char *property = "note")
{
  const auto graph = parse_launch (line);
  auto *task = graph.nodes ().at (0).task.get ();
  return property_text (task, g_object_class_find_property (G_OBJECT_GET_CLASS (task), property));
}

void chains ()
{
  same (edges ("test-source ! test-filter ! test-sink"), "test-source>test-filter.0 test-filter>test-sink.0");
  same (edges ("test-source!test-filter count=3 !test-sink"), "test-source>test-filter.0 test-filter>test-sink.0");
  same (edges ("\n test-source name=a\n ! test-sink name=x\t"), "a>test-sink.0");
  same (edges ("[test-source name=a, test-source name=b] ! test-join ! test-sink"),
        "a>test-join.0 b>test-join.1 test-join>test-sink.0");
  same (edges ("[test-source,test-source ! test-filter count=2 ! test-filter,test-source]!test-join"),
        "test-source-2>test-filter.0 test-filter>test-filter-2.0 test-source>test-join.0 test-filter-2>test-join.1 "
        "test-source-3>test-join.2");
  same (edges ("[[test-source name=a, test-source name=b] ! test-join name=c, test-source name=d] ! test-join"),
        "a>c.0 b>c.1 c>test-join.0 d>test-join.1");
}

void names ()
{
  same (edges ("test-source name=x ! test-sink  x. ! test-filter ! test-sink"),
        "x>test-sink.0 x>test-filter.0 test-filter>test-sink-2.0");
  same (edges ("x. ! test-sink test-source name=x ! test-filter name=y"), "x>test-sink.0 x>y.0");
  same (edges ("test-join name=j ! test-sink  test-source name=a ! j.1  test-source name=b ! j.left"),
        "j>test-sink.0 a>j.1 b>j.0");
  same (edges ("test-source name=a ! j.  test-source name=b ! j.0  test-join name=j"), "b>j.0 a>j.1");
  same (edges ("[test-source name=a, test-source name=b] ! j.1 ! test-sink  test-source name=c ! test-join name=j"),
        "a>j.1 b>j.2 j>test-sink.0 c>j.0");
  same (edges ("test-source name=a [a., a. ! test-filter] ! test-join"),
        "a>test-filter.0 a>test-join.0 test-filter>test-join.1");
  same (edges ("test-source name=a.b ! test-filter a.b. ! test-sink"), "a.b>test-filter.0 a.b>test-sink.0");
  // test-sink has a property 'name'.
  const auto graph = parse_launch ("test-source ! test-sink name=x");
  same (graph.nodes ()[1].name, "test-sink");
}

void quoting ()
{
  same (value ("test-filter note=a,b]c!d"), "a,b]c!d");
  same (value ("test-filter note='a  b\\ \"c\"'"), "a  b\\ \"c\"");
  same (value ("test-filter note=\"a  b\\\"c\\\\ 'd' \\n\""), "a  b\"c\\ 'd' \\n");
  same (value ("test-filter note=a\\ b\\!\\'"), "a b!'");
  same (value ("test-filter 'note'=a'b 'c\" d\""), "ab c d");
  same (value ("test-filter note=a=b"), "a=b");
  same (value ("test-filter note="), "");
  same (value ("[test-filter note=img[0-9,a].tif,test-source]!test-join"), "img[0-9,a].tif");
  same (value ("[test-filter note='a,b',test-source]!test-join"), "a,b");
  same (value ("[test-filter axis=296.5]!test-join", "axis"), "296.5");

  const char *one[] = {"test-filter note='a b'"};
  same (value (join_arguments (one)), "a b");
  const char *many[] = {"[test-filter", "note=a 'b' \"c\" \\", "axis=5,", "test-source]", "!", "test-join"};
  same (value (join_arguments (many)), "a 'b' \"c\" \\");
  same (value (join_arguments (many), "axis"), "5");
}

// The message, the line with the place of the caret as "column+length", or "column" of length 1.
const struct {
  const char *line, *message, *caret;
} wrong[] = {
    {"", "column 1: the launch line is empty", "^"},
    {"  ", "column 3: the launch line is empty", "  ^"},
    {"test-sorce ! x", "column 1: no node 'test-sorce': did you mean 'test-source'?", "^~~~~~~~~~"},
    {"! test-sink", "column 1: a node is expected here", "^"},
    {"test-source !", "column 13: '!' wants a node after it", "            ^"},
    {"test-source ! ! test-sink", "column 13: '!' wants a node after it", "            ^"},
    {"count=3 ! test-sink", "column 1: a node is expected here, not the property 'count=3'", "^~~~~~~"},
    {"test-source ! [test-sink] ! test-sink",
     "column 15: '[...]' collects streams for what follows it: it cannot come after '!'", "              ^"},
    {"test-filter cout=3", "column 13: 'test-filter': no property 'cout': did you mean 'count'?", "            ^~~~~~"},
    {"test-filter name=f note=\xc3\xbc count=99",
     "column 27: 'f' (test-filter): property 'count' wants an integer from 1 to 32, got '99'",
     "                          ^~~~~~~~"},
    {"test-filter note='a", "column 18: the quote ' is not closed", "                 ^~"},
    {"test-filter note=a\\", "column 19: a backslash at the end", "                  ^"},
    {"[test-source, test-source", "column 1: the bracket '[' is not closed", "^"},
    {"[test-source, ] ! test-join", "column 15: a node is expected here", "              ^"},
    {"[] ! test-join", "column 2: a node is expected here", " ^"},
    {"[test-source test-source] ! test-join", "column 14: ',' is expected between the branches of a bracket",
     "             ^~~~~~~~~~~"},
    {"[test-source]", "column 13: '[...]' wants '!' and a node after it", "            ^"},
    {"[[test-source]] ! test-join", "column 14: '[...]' wants '!' and a node after it", "             ^"},
    {"test-source ] ! test-join", "column 13: ']' without '[' before it", "            ^"},
    {"[test-source, test-source, test-source, test-source] ! test-join",
     "column 56: 'test-join' has no input 3: its inputs are 0 (left), 1 (right), 2 (more)",
     "                                                       ^~~~~~~~~"},
    {"test-source ! x. test-filter name=xx", "column 15: no node is named 'x': did you mean 'xx'?", "              ^~"},
    {"test-source name=x x.", "column 20: '!' is expected after a node's name", "                   ^~"},
    {"test-source name=x x.1 ! test-sink", "column 20: a node has one output: write 'x.' without '1'",
     "                   ^~~"},
    {"test-source name=a ! j.lft test-join name=j",
     "column 22: 'j' (test-join) has no input 'lft': did you mean 'left'?", "                     ^~~~~"},
    {"test-source ! j.7 test-join name=j",
     "column 15: 'j' (test-join) has no input 7: its inputs are 0 (left), 1 (right), 2 (more)", "              ^~~"},
    {"test-source ! f. test-source ! f. test-filter name=f", "column 32: all inputs of 'f' (test-filter) are connected",
     "                               ^~"},
    {"test-source name=a ! test-filter name=a", "column 34: two nodes are named 'a'",
     "                                 ^~~~~~"},
    {"test-filter count=8 name=f count=16", "column 28: property 'count' of 'f' (test-filter) is set twice",
     "                           ^~~~~~~~"},
    {"test-source name=a name=b", "column 20: a second name", "                   ^~~~~~"},
    {"test-source name=", "column 13: an empty name", "            ^~~~~"},
    {"test-filter name=a ! test-filter ! a.", "column 36: the graph has a cycle: a -> test-filter -> a",
     "                                   ^~"},
    {"test-sink ! test-filter", "column 13: 'test-sink' has no output: it cannot feed 'test-filter'",
     "            ^~~~~~~~~~~"},
    {"test-filter ! test-source", "column 15: 'test-source' has no inputs: 'test-filter' cannot feed it",
     "              ^~~~~~~~~~~"},
    {"zebra\tb", "column 1: no node 'zebra': 'sinograph inspect' lists all nodes", "^~~~~"},
};

void errors ()
{
  for (const auto &c : wrong) {
    std::string shown = c.line;
    for (char &character : shown)
      character = character == '\t' ? ' ' : character;
    same (message_of ([&] { parse_launch (c.line); }), text ("%s\n  %s\n  %s", c.message, shown.c_str (), c.caret));
  }
  // A message shows that one of several lines which has the place, and the surroundings of the place in a long one.
  same (message_of ([] { parse_launch ("test-source !\ntest-filter x=1 !\ntest-sink"); }),
        "column 27: 'test-filter': no property 'x': the properties are on, count, any, fraction, angle, window, axis, "
        "note, "
        "trouble\n  test-filter x=1 !\n              ^~~");
  const auto far =
      message_of ([] { parse_launch ("test-filter note=" + std::string (500, 'a') + " cont=3 ! test-sink"); });
  same (far,
        text ("column 519: 'test-filter': no property 'cont': did you mean 'count'?\n  %s cont=3 ! test-si\n  %s^~~~~~",
              std::string (59, 'a').c_str (), std::string (60, ' ').c_str ()));
  same (message_of ([] { parse_launch (std::string (65, '[')); }).substr (0, 48),
        "column 65: brackets nested deeper than 64 levels");
  same (message_of ([] { parse_launch (std::string (1000000, '[')); }).substr (0, 48),
        "column 65: brackets nested deeper than 64 levels");
  same (message_of ([] { parse_launch (std::string (2000000, '[')); }), "the launch line is longer than 1.0 MiB");
}

// Pieces of lines put together at random: an error or a graph that survives being written, never a crash.
void mutations ()
{
  const std::unique_ptr<GRand, Deleter<g_rand_free>> random (g_rand_new_with_seed (3));
  const auto below = [&] (size_t n) {
    return static_cast<size_t> (g_rand_int_range (random.get (), 0, static_cast<int> (n)));
  };
  const std::vector<std::string> pieces = {
      "test-source", "test-filter", "test-join", "test-sink", " ! ",     " ! ",     " ! ",       " ",       "[",
      "]",           ",",           "x.",        "y.1",       " name=x", " name=y", " count=3",  " note='", "\"",
      "\\",          "\xc3",        "\xbc",      "=",         ".",       "\n",      " axis=1,2", "[x., y.]"};
  int good = 0;
  for (int i = 0; i < 50000; i++) {
    std::string line = below (2) ? "test-source" : "[test-source name=x, test-source name=y] ! test-join";
    for (size_t n = below (8); n > 0; n--)
      line += pieces[below (pieces.size ())];
    if (below (4) == 0)
      line.erase (below (line.size ()), 1);
    try {
      const auto graph = parse_launch (line);
      good++;
      const auto json = to_json (graph);
      same (to_json (parse_json (json)), json);
    } catch (const Error &e) {
      g_assert_cmpstr (e.what (), !=, "");
    }
  }
  g_assert_cmpint (good, >, 1000);
  g_assert_cmpint (good, <, 40000);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/launch/chains", chains);
  g_test_add_func ("/launch/names", names);
  g_test_add_func ("/launch/quoting", quoting);
  g_test_add_func ("/launch/errors", errors);
  g_test_add_func ("/launch/mutations", mutations);
  return g_test_run ();
}

} // namespace sino::test::launch_test
