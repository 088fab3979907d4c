// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/provenance.hpp"
#include "api/sino-version.h"
#include "graph/json-writer.hpp"
#include <algorithm>
#include <set>
#include <utility>

namespace sino {

namespace {

// Finds the nodes upstream of one sink after the other, without the sink itself.
class Upstream
{
public:
  explicit Upstream (size_t nodes) : seen (nodes, SIZE_MAX) {}

  // `producers (n, add)` calls `add` with each node that feeds node `n`.
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
  std::vector<size_t> seen; // for each node: the last sink for which it was found
};

// Writes the text for each sink. Nodes stand in the order in which they run, which does not depend on the order in
// which edges were made.
class Provenance
{
public:
  Provenance (const Graph &g, const Net &n, const std::vector<DeviceGroup> &groups)
      : graph (g), net (n), parts (graph, show_json), ranks (graph.nodes ().size ()),
        graph_upstream (graph.nodes ().size ()), net_upstream (net.nodes.size ())
  {
    const auto order = graph.order ();
    for (size_t i = 0; i < order.size (); i++)
      ranks[order[i]] = i;
    for (const auto &group : groups) {
      const auto &device = *group.devices->front ();
      auto &own = kinds.emplace_back (device.kind == Device::Kind::native ? "native" : "opencl");
      own.variants.resize (net.nodes.size ());
      for (size_t i = 0; i < net.nodes.size (); i++)
        if (const auto &node = net.nodes[i]; !node.is_sink ())
          own.variants[i] = remark_of (node, device, input_lanes (net, node, group.layouts));
    }
  }

  // The text for a sink; `sink` is its index in the graph, `net_sink` its index in the net.
  std::string of (size_t sink, size_t net_sink);

private:
  // Kernel variants on devices that are alike.
  struct Kind {
    std::string device;
    std::vector<std::string> variants{}; // kernel variant of each node of the net
  };

  const Graph &graph;
  const Net &net;
  const JsonParts parts;
  std::vector<size_t> ranks; // ranks of the nodes of the graph
  std::vector<Kind> kinds;
  Upstream graph_upstream, net_upstream;

  std::vector<std::string> of_kinds (const std::vector<size_t> &nodes) const;
};

// {"name": value, ...}
std::string object (const std::vector<std::pair<std::string, std::string>> &members)
{
  return "{" + join (members, ", ", [] (const auto &m) { return show_json (m.first) + ": " + m.second; }) + "}";
}

// "device": ..., "variants": ... for each kind of device; kinds with the same text appear once.
std::vector<std::string> Provenance::of_kinds (const std::vector<size_t> &nodes) const
{
  std::vector<std::string> texts;
  for (const auto &kind : kinds) {
    std::vector<std::pair<std::string, std::string>> named;
    for (const auto n : nodes)
      if (!kind.variants[n].empty ())
        named.emplace_back (net.nodes[n].name, show_json (kind.variants[n]));
    auto members = "\"device\": " + quote_json (kind.device) + ", \"variants\": " + object (named);
    if (std::ranges::find (texts, members) == texts.end ())
      texts.push_back (std::move (members));
  }
  return texts;
}

std::string Provenance::of (size_t sink, size_t net_sink)
{
  auto nodes = net_upstream.of (net_sink, [this] (size_t n, const auto &add) {
    for (const int producer : net.nodes[n].producers)
      if (producer >= 0)
        add (static_cast<size_t> (producer));
  });
  std::ranges::sort (nodes);
  std::vector<std::pair<std::string, std::string>> expanded;
  std::set<int> composites;
  for (const auto n : nodes) {
    for (int c = net.nodes[n].composite; c >= 0 && composites.insert (c).second;)
      c = net.composite (c).composite;
  }
  for (const int c : composites) {
    const auto &composite = net.composite (c);
    expanded.emplace_back (composite.name, to_json (composite.inner.graph, show_json));
  }
  auto from = graph_upstream.of (sink, [this] (size_t n, const auto &add) {
    for (const auto place : graph.wiring ().into (n))
      add (graph.edges ()[place].from);
  });
  std::ranges::sort (from, {}, [this] (size_t n) { return ranks[n]; });
  auto ran = of_kinds (nodes);
  const auto first = std::move (ran.front ());
  ran.erase (ran.begin ());
  return "{\"sinograph\": \"" SINO_VERSION "\", " + first +
         (ran.empty () ? "" : ", \"beside\": [{" + join (ran, "}, {") + "}]") +
         (expanded.empty () ? "" : ", \"expanded\": " + object (expanded)) + ", \"graph\": " + parts.to_json (from) +
         "}";
}

} // namespace

void tell_provenance (const Graph &graph, Net &net, const std::vector<DeviceGroup> &groups)
{
  Provenance provenance (graph, net, groups);
  for (size_t sink = 0; sink < net.outputs.size (); sink++) {
    const auto n = static_cast<size_t> (net.outputs[sink]);
    if (net.nodes[n].is_sink ())
      facet<Writes> (*net.nodes[n].task).provenance (provenance.of (sink, n));
  }
}

} // namespace sino
