// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "base/temporary.hpp"
#include "graph/json.hpp"
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

} // namespace

std::string to_json (const Graph &graph, Quote quote)
{
  std::string nodes, edges;
  for (const auto &node : graph.nodes ())
    nodes += (nodes.empty () ? "" : ",\n") + node_json (node, quote);
  for (const auto &[from, to, input] : graph.edges ())
    edges +=
        text ("%s    {\"from\": {\"name\": %s}, \"to\": {\"name\": %s, \"input\": %zu}}", edges.empty () ? "" : ",\n",
              quote (graph.nodes ()[from].name).c_str (), quote (graph.nodes ()[to].name).c_str (), input);
  return text ("{\n  \"sinograph\": 1,\n  \"nodes\": [\n%s\n  ],\n  \"edges\": [\n%s\n  ]\n}\n", nodes.c_str (),
               edges.c_str ());
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
