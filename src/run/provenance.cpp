// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/provenance.hpp"
#include "graph/json.hpp"
#include "run/strategy.hpp"
#include <set>

namespace sino {

// The nodes of a graph that a sink gets its pixels from, without the sink itself.
static std::set<size_t> upstream (const Graph &graph, size_t sink)
{
  std::set<size_t> seen;
  for (std::vector<size_t> todo{sink}; !todo.empty ();) {
    const auto n = todo.back ();
    todo.pop_back ();
    for (const auto &edge : graph.edges ())
      if (edge.to == n && seen.insert (edge.from).second)
        todo.push_back (edge.from);
  }
  return seen;
}

// These nodes with the edges between them. The order does not depend on that in which edges were made.
static Graph part_of (const Graph &graph, const std::vector<size_t> &order, const std::set<size_t> &nodes)
{
  Graph part;
  std::map<size_t, size_t> places;
  for (const auto n : order)
    if (nodes.contains (n)) {
      const auto &node = graph.nodes ()[n];
      places[n] = part.add (ObjectPtr<SinoTask> (SINO_TASK (g_object_ref (node.task.get ()))), node.name);
    }
  for (const auto n : order) {
    std::map<size_t, size_t> producers; // by port
    for (const auto &edge : graph.edges ())
      if (edge.to == n && places.contains (n))
        producers[edge.input] = edge.from;
    for (const auto &[port, from] : producers)
      part.connect (places[from], places[n], port);
  }
  return part;
}

// The nodes of the net that a sink gets its pixels from, and the composites that these are parts of.
static std::pair<std::set<int>, std::set<int>> net_upstream (const Net &net, int sink)
{
  std::set<int> nodes, composites;
  for (std::vector<int> todo{sink}; !todo.empty ();) {
    const auto &node = net.nodes[static_cast<size_t> (todo.back ())];
    todo.pop_back ();
    for (const int producer : node.producers)
      if (producer >= 0 && nodes.insert (producer).second)
        todo.push_back (producer);
    for (int c = node.composite; c >= 0; c = net.composites[static_cast<size_t> (c)].composite)
      composites.insert (c);
  }
  return {nodes, composites};
}

// {"name": value, ...}
static std::string object (const std::vector<std::pair<std::string, std::string>> &members)
{
  std::string list;
  for (const auto &[name, value] : members)
    list += (list.empty () ? "" : ", ") + show_json (name) + ": " + value;
  return "{" + list + "}";
}

void tell_provenance (const Graph &graph, Net &net, const Device &device)
{
  const auto layouts = settle_layouts (net, device);
  const auto order = graph.order ();
  for (size_t sink = 0; sink < net.outputs.size (); sink++) {
    const int n = net.outputs[sink];
    auto &task = *net.nodes[static_cast<size_t> (n)].task;
    if (task.has_output ())
      continue;
    const auto [nodes, composites] = net_upstream (net, n);
    std::vector<std::pair<std::string, std::string>> variants, expanded;
    for (const int u : nodes) {
      const auto &node = net.nodes[static_cast<size_t> (u)];
      if (const auto remark = remark_of (node, device, input_lanes (net, node, layouts)); !remark.empty ())
        variants.emplace_back (node.name, show_json (remark));
    }
    for (const int c : composites) {
      const auto &composite = net.composites[static_cast<size_t> (c)];
      expanded.emplace_back (composite.name, to_json (composite.inner.graph, show_json));
    }
    task.provenance ("{\"sinograph\": \"" SINO_VERSION "\", \"device\": " +
                     quote_json (device.kind == Device::Kind::native ? "native" : "opencl") + ", \"variants\": " +
                     object (variants) + (expanded.empty () ? "" : ", \"expanded\": " + object (expanded)) +
                     ", \"graph\": " + to_json (part_of (graph, order, upstream (graph, sink)), show_json) + "}");
  }
}

} // namespace sino
