// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "base/paths.hpp"
#include "base/temporary.hpp"
#include "graph/json.hpp"
#include <algorithm>
#include <fstream>

namespace sino {

namespace {

std::string node_json (const Node &node, Quote quote)
{
  std::string properties;
  for (auto *spec : list_properties (G_OBJECT_TYPE (node.task.get ())))
    if (is_set (node.task.get (), spec)) {
      std::string value;
      try {
        value = property_json (node.task.get (), spec, quote);
      } catch (const Error &e) {
        fail (e.code, "%s: property '%s': %s", title (node).c_str (), spec->name, e.what ());
      }
      properties +=
          text ("%s\n      %s: %s", properties.empty () ? "" : ",", quote (spec->name).c_str (), value.c_str ());
    }
  return text ("    {\"plugin\": %s, \"name\": %s%s%s%s}", quote (node.plugin).c_str (), quote (node.name).c_str (),
               properties.empty () ? "" : ", \"properties\": {", properties.c_str (), properties.empty () ? "" : "}");
}

std::string edge_json (const Graph &graph, const Edge &edge, Quote quote)
{
  return text ("    {\"from\": {\"name\": %s}, \"to\": {\"name\": %s, \"input\": %zu}}",
               quote (graph.nodes ()[edge.from].name).c_str (), quote (graph.nodes ()[edge.to].name).c_str (),
               edge.input);
}

void add_line (std::string &lines, const std::string &line)
{
  lines += (lines.empty () || line.empty () ? "" : ",\n") + line;
}

std::string document (const std::string &nodes, const std::string &edges)
{
  return "{\n  \"sinograph\": 1,\n  \"nodes\": [\n" + nodes + "\n  ],\n  \"edges\": [\n" + edges + "\n  ]\n}\n";
}

} // namespace

std::string to_json (const Graph &graph, Quote quote)
{
  std::string nodes, edges;
  for (const auto &node : graph.nodes ())
    add_line (nodes, node_json (node, quote));
  for (const auto &edge : graph.edges ())
    add_line (edges, edge_json (graph, edge, quote));
  return document (nodes, edges);
}

JsonParts::JsonParts (const Graph &graph, Quote quote) : parts (graph.nodes ().size ())
{
  for (size_t n = 0; n < parts.size (); n++) {
    parts[n].node = node_json (graph.nodes ()[n], quote);
    auto places = graph.wiring ().into (n);
    std::ranges::sort (places, {}, [&graph] (size_t place) { return graph.edges ()[place].input; });
    for (const auto place : places)
      add_line (parts[n].edges, edge_json (graph, graph.edges ()[place], quote));
  }
}

std::string JsonParts::to_json (const std::vector<size_t> &some) const
{
  std::string nodes, edges;
  for (const auto n : some) {
    add_line (nodes, parts[n].node);
    add_line (edges, parts[n].edges);
  }
  return document (nodes, edges);
}

void save_json (const Graph &graph, const std::string &path)
{
  const auto json = to_json (graph);
  Temporary part (path);
  {
    std::ofstream file (part.path (), std::ios::binary);
    file << json << std::flush;
    if (!file)
      fail_file ("cannot write", path, errno);
  }
  part.commit_new ();
}

} // namespace sino
