// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/provenance.hpp"
#include "graph/json.hpp"
#include "run/strategy.hpp"
#include <set>

namespace sino {

static void walk (const Net &net, int n, std::set<int> &seen)
{
  for (const int producer : net.nodes[static_cast<size_t> (n)].producers)
    if (producer >= 0 && seen.insert (producer).second)
      walk (net, producer, seen);
}

// The graph that ends in a sink, without the sink itself.
static Graph upstream (const Graph &graph, const Net &net, const std::set<int> &nodes)
{
  Graph part;
  for (const int n : nodes) {
    const auto &name = net.nodes[static_cast<size_t> (n)].name;
    part.add (ObjectPtr<SinoTask> (SINO_TASK (g_object_ref (graph.nodes ()[graph.find (name)].task.get ()))), name);
  }
  for (const int n : nodes) {
    const auto &node = net.nodes[static_cast<size_t> (n)];
    for (size_t port = 0; port < node.producers.size (); port++)
      if (node.producers[port] >= 0)
        part.connect (part.find (net.nodes[static_cast<size_t> (node.producers[port])].name), part.find (node.name),
                      port);
  }
  return part;
}

void tell_provenance (const Graph &graph, Net &net, const Device &device)
{
  const auto layouts = settle_layouts (net, device);
  for (size_t n = 0; n < net.nodes.size (); n++) {
    if (!net.nodes[n].is_sink ())
      continue;
    std::set<int> nodes;
    walk (net, static_cast<int> (n), nodes);
    std::string variants;
    for (const int u : nodes) {
      const auto &node = net.nodes[static_cast<size_t> (u)];
      if (const auto remark = remark_of (node, device, input_lanes (net, node, layouts)); !remark.empty ())
        variants += (variants.empty () ? "" : ", ") + show_json (node.name) + ": " + show_json (remark);
    }
    net.nodes[n].task->provenance ("{\"sinograph\": \"" SINO_VERSION "\", \"device\": " +
                                   quote_json (device.kind == Device::Kind::native ? "native" : "opencl") +
                                   ", \"variants\": {" + variants +
                                   "}, \"graph\": " + to_json (upstream (graph, net, nodes), show_json) + "}");
  }
}

} // namespace sino
