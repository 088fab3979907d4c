// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/provenance.hpp"
#include "api/sino-version.h"
#include "graph/json-writer.hpp"
#include "run/strategy.hpp"
#include <algorithm>
#include <set>
#include <utility>

namespace sino {

namespace {

// What lies upstream of one sink after the other, without the sink itself.
class Upstream
{
public:
  explicit Upstream (size_t nodes) : seen (nodes, SIZE_MAX) {}

  // `producers`: calls what it is given with each node that feeds one.
  template <class Producers> std::vector<size_t> of (size_t sink, Producers producers)
  {
    std::vector<size_t> found;
    const auto add = [&] (size_t n) {
      if (std::exchange (seen[n], sink) != sink)
        found.push_back (n);
    };
    producers (sink, add);
    for (size_t next = 0; next < found.size (); next++)
      producers (found[next], add);
    return found;
  }

private:
  std::vector<size_t> seen; // for which sink a node was seen last
};

// The text for each sink. Its graph is in the order in which it runs, which does not depend on that in which edges were
// made.
class Provenance
{
public:
  Provenance (const Graph &g, const Net &n, const Device &d)
      : graph (g), net (n), device (d), parts (graph, show_json), ranks (graph.nodes ().size ()),
        variants (net.nodes.size ()), graph_upstream (graph.nodes ().size ()), net_upstream (net.nodes.size ())
  {
    const auto order = graph.order ();
    for (size_t i = 0; i < order.size (); i++)
      ranks[order[i]] = i;
    const auto layouts = settle_layouts (net, device);
    for (size_t i = 0; i < net.nodes.size (); i++)
      if (const auto &node = net.nodes[i]; !node.is_sink ())
        variants[i] = remark_of (node, device, input_lanes (net, node, layouts));
  }

  // The text for a sink: its node of the graph, and that of the net.
  std::string of (size_t sink, size_t net_sink);

private:
  const Graph &graph;
  const Net &net;
  const Device &device;
  const JsonParts parts;
  std::vector<size_t> ranks;         // ranks of the nodes of the graph
  std::vector<std::string> variants; // by node of the net
  Upstream graph_upstream, net_upstream;
};

// {"name": value, ...}
std::string object (const std::vector<std::pair<std::string, std::string>> &members)
{
  return "{" + join (members, ", ", [] (const auto &m) { return show_json (m.first) + ": " + m.second; }) + "}";
}

std::string Provenance::of (size_t sink, size_t net_sink)
{
  auto nodes = net_upstream.of (net_sink, [this] (size_t n, const auto &add) {
    for (const int producer : net.nodes[n].producers)
      if (producer >= 0)
        add (static_cast<size_t> (producer));
  });
  std::ranges::sort (nodes);
  std::vector<std::pair<std::string, std::string>> named, expanded;
  std::set<int> composites;
  for (const auto n : nodes) {
    if (!variants[n].empty ())
      named.emplace_back (net.nodes[n].name, show_json (variants[n]));
    for (int c = net.nodes[n].composite; c >= 0 && composites.insert (c).second;)
      c = net.composites[static_cast<size_t> (c)].composite;
  }
  for (const int c : composites) {
    const auto &composite = net.composites[static_cast<size_t> (c)];
    expanded.emplace_back (composite.name, to_json (composite.inner.graph, show_json));
  }
  auto from = graph_upstream.of (sink, [this] (size_t n, const auto &add) {
    for (const auto place : graph.wiring ().into (n))
      add (graph.edges ()[place].from);
  });
  std::ranges::sort (from, {}, [this] (size_t n) { return ranks[n]; });
  return "{\"sinograph\": \"" SINO_VERSION "\", \"device\": " +
         quote_json (device.kind == Device::Kind::native ? "native" : "opencl") + ", \"variants\": " + object (named) +
         (expanded.empty () ? "" : ", \"expanded\": " + object (expanded)) + ", \"graph\": " + parts.to_json (from) +
         "}";
}

} // namespace

void tell_provenance (const Graph &graph, Net &net, const Device &device)
{
  Provenance provenance (graph, net, device);
  for (size_t sink = 0; sink < net.outputs.size (); sink++) {
    const auto n = static_cast<size_t> (net.outputs[sink]);
    if (net.nodes[n].is_sink ())
      net.nodes[n].task->provenance (provenance.of (sink, n));
  }
}

} // namespace sino
