// SPDX-License-Identifier: LGPL-3.0-or-later
// Graph files: round trips, and every message about what is wrong with them.
#include "graph/json-reader.hpp"
#include "graph/json-writer.hpp"
#include "graph/properties.hpp"
#include "tests/support/expect.hpp"
#include <cmath>
#include <filesystem>
#include <fstream>

namespace sino::test::json_test {

namespace {

const char *example = R"({
  "sinograph": 1,
  "nodes": [
    {"plugin": "test-source", "name": "scan", "properties": {
      "level": 0.30000000000000004}},
    {"plugin": "test-source", "name": "other"},
    {"plugin": "test-filter", "name": "f \"1\"", "properties": {
      "on": false,
      "count": 32,
      "angle": -1e-300,
      "window": "hann",
      "note": "ü\n\u0001"}},
    {"plugin": "test-join", "name": "test-join"},
    {"plugin": "test-sink", "name": "end"}
  ],
  "edges": [
    {"from": {"name": "scan"}, "to": {"name": "f \"1\"", "input": 0}},
    {"from": {"name": "other"}, "to": {"name": "test-join", "input": 1}},
    {"from": {"name": "f \"1\""}, "to": {"name": "test-join", "input": 0}},
    {"from": {"name": "test-join"}, "to": {"name": "end", "input": 0}}
  ]
}
)";

void round_trip ()
{
  const auto graph = parse_json (example);
  g_assert_cmpuint (graph.nodes ().size (), ==, 5);
  g_assert_cmpuint (graph.edges ().size (), ==, 4);
  g_assert_true (graph.edges ()[1] == (Edge{1, 3, 1}));
  same (to_json (graph), example);

  // Every double comes back as it was.
  Graph numbers;
  const auto &node = numbers.nodes ()[numbers.add ("test-filter")];
  auto *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (node.task.get ()), "angle");
  const std::unique_ptr<GRand, Deleter<g_rand_free>> random (g_rand_new_with_seed (1));
  for (int i = 0; i < 2000; i++) {
    const double angle =
        i == 0 ? -0.0
               : std::ldexp (g_rand_double_range (random.get (), -1, 1), g_rand_int_range (random.get (), -140, 127));
    g_object_set (node.task.get (), "angle", angle, nullptr);
    const auto again = parse_json (to_json (numbers));
    double back = 0;
    g_object_get (again.nodes ()[0].task.get (), "angle", &back, nullptr);
    g_assert_true (back == angle && std::signbit (back) == std::signbit (angle));
    same (property_text (again.nodes ()[0].task.get (), spec), property_text (node.task.get (), spec));
  }
  same (to_json (Graph ()), "{\n  \"sinograph\": 1,\n  \"nodes\": [\n\n  ],\n  \"edges\": [\n\n  ]\n}\n");
}

void escapes ()
{
  const auto graph = parse_json (R"({"nodes": [{"plugin": "test-filter", "name": "a",
    "properties": {"note": "\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\uDE00"}}]})");
  auto *task = graph.nodes ()[0].task.get ();
  same (property_text (task, g_object_class_find_property (G_OBJECT_GET_CLASS (task), "note")), "\"\\/\b\f\n\r\té€😀");
}

// What UFO writes, with its shared property sets.
void ufo ()
{
  const auto graph = parse_json (R"({"version": "1.1", "index": 0, "total": 1,
    "prop-sets": {"fine": {"count": 7, "window": "hann"}},
    "nodes": [{"plugin": "test-source", "name": "a"},
              {"plugin": "test-filter", "name": "b", "prop-refs": ["fine"], "properties": {"on": false}}],
    "edges": [{"from": {"name": "a", "output": 0}, "to": {"name": "b"}}]})");
  int count = 0;
  g_object_get (graph.nodes ()[1].task.get (), "count", &count, nullptr);
  g_assert_cmpint (count, ==, 7);
  g_assert_true (graph.edges ()[0] == (Edge{0, 1, 0}));
}

// "@" stands for two good nodes 'a' (test-source) and 'b' (test-filter).
const struct {
  const char *json, *message;
} wrong[] = {
    {"[]", "$: must be an object"},
    {"3", "$: must be an object"},
    {"{}", "$: has no 'nodes'"},
    {"{\"nodes\": {}}", "$.nodes: must be an array"},
    {"{\"nodes\": [], \"egdes\": []}", "$.egdes: unknown key, did you mean 'edges'?"},
    {"{\"nodes\": [], \"zebra\": []}", "$.zebra: unknown key"},
    {"{\"nodes\": [], \"sinograph\": 2}", "$.sinograph: this Sinograph reads version 1"},
    {"{\"nodes\": [], \"sinograph\": \"1\"}", "$.sinograph: must be an integer from 0 to 2147483647"},
    {"{\"nodes\": [], \"total\": 2}", "$.total: must be 0 or 1"},
    {"{\"nodes\": [], \"index\": 1}", "$.index: must be 0"},
    {"{\"nodes\": [], \"nodes\": []}", "line 1, column 15: the key 'nodes' occurs twice"},
    {"{\"nodes\": [3]}", "$.nodes[0]: must be an object"},
    {"{\"nodes\": [{}]}", "$.nodes[0]: has no 'plugin'"},
    {"{\"nodes\": [{\"plugin\": \"test-sink\"}]}", "$.nodes[0]: has no 'name'"},
    {"{\"nodes\": [{\"plugin\": 3, \"name\": \"a\"}]}", "$.nodes[0].plugin: must be a string"},
    {"{\"nodes\": [{\"plugin\": \"test-sink\", \"name\": \"\"}]}", "$.nodes[0].name: must not be empty"},
    {"{\"nodes\": [{\"plugin\": \"test-snik\", \"name\": \"a\"}]}",
     "$.nodes[0]: no node 'test-snik': did you mean 'test-sink'?"},
    {"{\"nodes\": [@, {\"plugin\": \"test-sink\", \"name\": \"a\"}]}", "$.nodes[2]: two nodes are named 'a'"},
    {"{\"nodes\": [@, {\"plugin\": \"test-sink\", \"name\": \"c\", \"propertes\": {}}]}",
     "$.nodes[2].propertes: unknown key, did you mean 'properties'?"},
    {"{\"nodes\": [{\"plugin\": \"test-filter\", \"name\": \"c\", \"properties\": []}]}",
     "$.nodes[0].properties: must be an object"},
    {"{\"nodes\": [{\"plugin\": \"test-filter\", \"name\": \"c\", \"properties\": {\"cout\": 3}}]}",
     "$.nodes[0].properties.cout: 'c' (test-filter): no property 'cout': did you mean 'count'?"},
    {"{\"nodes\": [{\"plugin\": \"test-filter\", \"name\": \"c\", \"properties\": {\"count\": 99}}]}",
     "$.nodes[0].properties.count: 'c' (test-filter): property 'count' wants an integer from 1 to 32, got 99"},
    {"{\"nodes\": [{\"plugin\": \"test-filter\", \"name\": \"c\", \"prop-refs\": [\"s\"]}]}",
     "$.nodes[0].prop-refs[0]: no set 's' in prop-sets"},
    {"{\"prop-sets\": {\"s\": {\"count\": 3}}, \"nodes\": [{\"plugin\": \"test-filter\", \"name\": \"c\", "
     "\"prop-refs\": [\"s\"], \"properties\": {\"count\": 4}}]}",
     "$.prop-sets.s.count: property 'count' of 'c' (test-filter) is set twice"},
    {"{\"prop-sets\": {\"s\": 3}, \"nodes\": []}", "$.prop-sets.s: must be an object"},
    {"{\"nodes\": [@], \"edges\": {}}", "$.edges: must be an array"},
    {"{\"nodes\": [@], \"edges\": [{}]}", "$.edges[0]: has no 'from'"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"a\"}}]}", "$.edges[0]: has no 'to'"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": \"a\", \"to\": \"b\"}]}", "$.edges[0].from: must be an object"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"nam\": \"a\"}, \"to\": {}}]}",
     "$.edges[0].from.nam: unknown key, did you mean 'name'?"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"a\"}, \"to\": {}}]}", "$.edges[0].to: has no 'name'"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"aa\"}, \"to\": {\"name\": \"b\"}}]}",
     "$.edges[0].from.name: no node is named 'aa': did you mean 'a'?"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"a\"}, \"to\": {\"name\": \"zebra\"}}]}",
     "$.edges[0].to.name: no node is named 'zebra'"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"a\"}, \"to\": {\"name\": \"b\", \"input\": 1}}]}",
     "$.edges[0]: 'b' (test-filter) has no input 1: its inputs are 0 (data)"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"a\"}, \"to\": {\"name\": \"b\", \"input\": -1}}]}",
     "$.edges[0].to.input: must be an integer from 0 to 2147483647"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"a\", \"output\": 1}, \"to\": {\"name\": \"b\"}}]}",
     "$.edges[0].from.output: must be 0"},
    {"{\"nodes\": [@], \"edges\": [{\"from\": {\"name\": \"b\"}, \"to\": {\"name\": \"b\"}}]}",
     "$.edges[0]: the graph has a cycle: b -> b"},
    // The scanner's.
    {"", "line 1, column 1: the file ends where a value is expected"},
    {" \n", "line 2, column 1: the file ends where a value is expected"},
    {"{\n \"ü\": [}", "line 2, column 8: '}' where a value or ']' is expected"},
    {"{}]", "line 1, column 3: ']' where the end of the file is expected"},
    {"{} {}", "line 1, column 4: the end of the file is expected"},
    {"{\"a\": [1", "line 1, column 9: the file ends where ',' or ']' is expected"},
    {"{\"a\": [1,]}", "line 1, column 10: ']' where a value is expected"},
    {"{\"a\": [1 2]}", "line 1, column 10: ',' or ']' is expected"},
    {"{\"a\": 1 \"b\"}", "line 1, column 9: ',' or '}' is expected"},
    {"{\"a\": 1,}", "line 1, column 9: '}' where a key is expected"},
    {"{\"a\" 1}", "line 1, column 6: ':' is expected"},
    {"{\"a\"}", "line 1, column 5: '}' where ':' is expected"},
    {"{\"a\":, 1}", "line 1, column 6: ',' where a value is expected"},
    {"{3: 1}", "line 1, column 2: a key or '}' is expected"},
    {"{\"a", "line 1, column 2: a string without an end"},
    {"{\"a\\\"", "line 1, column 2: a string without an end"},
    {"{\"a\n\": 1}", "line 1, column 4: a control character in a string: write it as an escape"},
    {"{\"a\": \"\\u0000\"}", "line 1, column 8: a string cannot contain the character 0"},
    {"{\"a\": \"b\\0c\"}", "line 1, column 9: not an escape of JSON: write \\\\ for a backslash"},
    {"{\"a\": \"C:\\data\"}", "line 1, column 10: not an escape of JSON: write \\\\ for a backslash"},
    {"{\"a\": \"\\'\"}", "line 1, column 8: not an escape of JSON: write \\\\ for a backslash"},
    {"{\"a\":\n \"ü\\400\"}", "line 2, column 4: not an escape of JSON: write \\\\ for a backslash"},
    {"{\"a\": \"\\", "line 1, column 8: not an escape of JSON: write \\\\ for a backslash"},
    {"{\"a\": \"\\u00zz\"}", "line 1, column 8: \\u wants four hexadecimal digits"},
    {"{\"a\": \"\\u00", "line 1, column 8: \\u wants four hexadecimal digits"},
    {"{\"a\": \"\\ud83d\"}",
     "line 1, column 8: half of a character: \\ud800 to \\udbff and \\udc00 to \\udfff must come in pairs"},
    {"{\"a\": \"\\ude00\\ud83d\"}",
     "line 1, column 8: half of a character: \\ud800 to \\udbff and \\udc00 to \\udfff must come in pairs"},
    {"{\"a\": \"\\ud83d\\u0041\"}",
     "line 1, column 8: half of a character: \\ud800 to \\udbff and \\udc00 to \\udfff must come in pairs"},
    {"{\"a\": \"\\ud83d\\n\"}",
     "line 1, column 8: half of a character: \\ud800 to \\udbff and \\udc00 to \\udfff must come in pairs"},
    {"{\"a\\u0062\": 1}", "line 1, column 2: an escape in a key"},
    {"{\"a\": 012}", "line 1, column 7: not a number of JSON"},
    {"{\"a\": 0x12}", "line 1, column 7: not a number of JSON"},
    {"{\"a\": 1.}", "line 1, column 7: not a number of JSON"},
    {"{\"a\": -}", "line 1, column 7: not a number of JSON"},
    {"{\"a\": 1e+}", "line 1, column 7: not a number of JSON"},
    {"{\"a\": 9223372036854775808}", "line 1, column 7: an integer of more than 64 bits"},
    {"{\"a\": NaN}", "line 1, column 7: 'NaN' is not a word of JSON"},
    {"{\"a\": truer}", "line 1, column 7: 'truer' is not a word of JSON"},
    {"{\"a\": /**/ 1}", "line 1, column 7: a value is expected"},
    {"{} // more", "line 1, column 4: the end of the file is expected"},
    {"{'a': 1}", "line 1, column 2: a key or '}' is expected"},
    {"{\"a\": \xff}", "not UTF-8 at byte 6"},
    {"\xc3\xbc", "line 1, column 1: a value is expected"},
};

void errors ()
{
  for (const auto &c : wrong) {
    std::string json = c.json;
    if (const auto at = json.find ('@'); at != json.npos)
      json.replace (at, 1, R"({"plugin": "test-source", "name": "a"}, {"plugin": "test-filter", "name": "b"})");
    same (message_of ([&] { parse_json (json); }), c.message);
  }
}

void limits ()
{
  const auto nested = [] (size_t depth) {
    return "{\"nodes\": " + std::string (depth - 1, '[') + std::string (depth - 1, ']') + "}";
  };
  same (message_of ([&] { parse_json (nested (64)); }), "$.nodes[0]: must be an object");
  same (message_of ([&] { parse_json (nested (65)); }), "line 1, column 74: nested deeper than 64 levels");
  same (message_of ([&] { parse_json (std::string (3000000, '[')); }),
        "line 1, column 65: nested deeper than 64 levels");
  same (message_of ([&] { parse_json (std::string ((16 << 20) + 1, ' ')); }), "larger than 16.0 MiB");
}

void files ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const std::string folder = owner.get (), path = folder + "/graph.json";
  const auto graph = parse_json (example);
  save_json (graph, path);
  same (to_json (load_json (path)), example);
  std::ofstream (folder + "/marked.json") << "\xef\xbb\xbf" << example;
  same (to_json (load_json (folder + "/marked.json")), example);
  same (message_of ([&] { save_json (graph, path); }),
        text ("'%s' exists: choose another name or remove it", path.c_str ()));
  std::ofstream (path) << "{}";
  same (message_of ([&] { load_json (path); }), text ("'%s': $: has no 'nodes'", path.c_str ()));
  same (message_of ([&] { load_json (folder + "/none"); }),
        text ("cannot open graph '%s/none': No such file or directory", folder.c_str ()));
  g_assert_cmpint (code_of ([&] { load_json (folder + "/none"); }), ==, SINO_ERROR_BAD_FILE);
  g_assert_cmpint (code_of ([&] { load_json (folder); }), ==, SINO_ERROR_BAD_FILE);
  std::filesystem::remove_all (folder);
}

// Bytes changed, removed and added at random: an error or a graph, never a crash.
void mutations ()
{
  const std::unique_ptr<GRand, Deleter<g_rand_free>> random (g_rand_new_with_seed (2));
  const auto below = [&] (size_t n) {
    return static_cast<size_t> (g_rand_int_range (random.get (), 0, static_cast<int> (n)));
  };
  const std::string pieces = "{}[]\",:\\0123456789eE+-.tfn \n/'\x01\xff";
  int good = 0;
  for (int i = 0; i < 20000; i++) {
    std::string json = example;
    for (size_t changes = 1 + below (3); changes > 0; changes--) {
      const auto at = below (json.size ()), kind = below (3);
      if (kind == 0)
        json[at] = pieces[below (pieces.size ())];
      else if (kind == 1)
        json.erase (at, 1 + below (20));
      else
        json.insert (at, json.substr (below (json.size ()), below (20)));
    }
    try {
      const auto graph = parse_json (json);
      same (to_json (parse_json (to_json (graph))), to_json (graph));
      good++;
    } catch (const Error &e) {
      g_assert_cmpstr (e.what (), !=, "");
    }
  }
  g_assert_cmpint (good, >, 100); // spaces and digits were changed too
  g_assert_cmpint (good, <, 10000);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/json/round-trip", round_trip);
  g_test_add_func ("/json/escapes", escapes);
  g_test_add_func ("/json/ufo", ufo);
  g_test_add_func ("/json/errors", errors);
  g_test_add_func ("/json/limits", limits);
  g_test_add_func ("/json/files", files);
  g_test_add_func ("/json/mutations", mutations);
  return g_test_run ();
}

} // namespace sino::test::json_test
