// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/json-writer.hpp"
#include "base/error.hpp"
#include "base/files/temporary.hpp"
#include <algorithm>

namespace sino {

namespace {

std::string node_json (const Node &node, Quote quote)
{
  auto *task = node.task.get ();
  auto specs = list_properties (G_OBJECT_TYPE (task));
  std::erase_if (specs, [&] (GParamSpec *spec) { return !is_set (task, spec); });
  const auto properties = join (specs, ",", [&] (GParamSpec *spec) {
    try {
      return text ("\n      %s: %s", quote (spec->name).c_str (), property_json (task, spec, quote).c_str ());
    } catch (const Error &e) {
      fail (e.code, "%s: property '%s': %s", title (node).c_str (), spec->name, e.what ());
    }
  });
  return text ("    {\"plugin\": %s, \"name\": %s%s%s%s}", quote (node.type).c_str (), quote (node.name).c_str (),
               properties.empty () ? "" : ", \"properties\": {", properties.c_str (), properties.empty () ? "" : "}");
}

std::string edge_json (const Graph &graph, const Edge &edge, Quote quote)
{
  return text ("    {\"from\": {\"name\": %s}, \"to\": {\"name\": %s, \"input\": %zu}}",
               quote (graph.nodes ()[edge.from].name).c_str (), quote (graph.nodes ()[edge.to].name).c_str (),
               edge.input);
}

std::string document (const std::string &nodes, const std::string &edges)
{
  return "{\n  \"sinograph\": 1,\n  \"nodes\": [\n" + nodes + "\n  ],\n  \"edges\": [\n" + edges + "\n  ]\n}\n";
}

} // namespace

std::string to_json (const Graph &graph, Quote quote)
{
  return document (join (graph.nodes (), ",\n", [&] (const Node &node) { return node_json (node, quote); }),
                   join (graph.edges (), ",\n", [&] (const Edge &edge) { return edge_json (graph, edge, quote); }));
}

JsonParts::JsonParts (const Graph &graph, Quote quote) : parts (graph.nodes ().size ())
{
  for (size_t n = 0; n < parts.size (); n++) {
    parts[n].node = node_json (graph.nodes ()[n], quote);
    auto places = graph.wiring ().into (n);
    std::ranges::sort (places, {}, [&graph] (size_t place) { return graph.edges ()[place].input; });
    parts[n].edges =
        join (places, ",\n", [&] (size_t place) { return edge_json (graph, graph.edges ()[place], quote); });
  }
}

std::string JsonParts::to_json (const std::vector<size_t> &some) const
{
  auto fed = some;
  std::erase_if (fed, [this] (size_t n) { return parts[n].edges.empty (); });
  return document (join (some, ",\n", [this] (size_t n) -> auto & { return parts[n].node; }),
                   join (fed, ",\n", [this] (size_t n) -> auto & { return parts[n].edges; }));
}

void save_json (const Graph &graph, const std::string &path, bool overwrite)
{
  const auto json = to_json (graph);
  Temporary part (path);
  part.write (json);
  if (overwrite)
    part.commit (true);
  else
    part.commit_new ();
}

} // namespace sino
