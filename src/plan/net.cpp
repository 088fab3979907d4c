// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/net.hpp"
#include "base/named-error.hpp"
#include "base/shown.hpp"
#include "glue/wants.hpp"
#include <set>

namespace sino {

bool NetNode::gathers () const
{
  bool any = false;
  for (size_t port = 0; port < producers.size (); port++) {
    if (producers[port] < 0)
      continue;
    if (!task->collects (port))
      return false;
    any = true;
  }
  return any;
}

const Format *Net::input (int n, size_t port) const
{
  const int producer = node (n).producers[port];
  return producer < 0 ? nullptr : node (producer).format.get ();
}

std::vector<const Format *> Net::inputs (const NetNode &of) const
{
  std::vector<const Format *> list;
  for (const int n : of.producers)
    list.push_back (n < 0 ? nullptr : node (n).format.get ());
  return list;
}

static void check_companions (const Task &task, std::span<const Format *const> inputs, const Format &output)
{
  if (!output.companions.any ())
    return;
  const Format *first = nullptr;
  for (size_t i = 0; i < inputs.size (); i++) {
    if (!inputs[i] || !inputs[i]->companions.any ())
      continue;
    if (first && (first->companions.flats != inputs[i]->companions.flats ||
                  first->companions.darks != inputs[i]->companions.darks))
      fail (SINO_ERROR_BAD_FORMAT,
            "two inputs have their own darks and flats (from '%s' and '%s', input '%s'): correct each with "
            "'flat-field' before they are joined",
            first->companions.from.c_str (), inputs[i]->companions.from.c_str (), task.inputs ()[i].name);
    first = inputs[i];
  }
}

// A larger size is an error in the format. Below this no product overflows, even with rows padded for 32 lanes.
constexpr double most_bytes = 0x1p56;

static void check_format (const Format &format)
{
  if (!format.has (Axis::row) && !format.has (Axis::z))
    fail (SINO_ERROR_BAD_FORMAT, "gives %s: a 'row' or 'z' axis is missing", format.describe ().c_str ());
  for (const auto &dim : format.axes)
    if (dim.extent < 1)
      fail (SINO_ERROR_BAD_FORMAT, "has an empty output: axis '%s' of %s is empty", name_of (dim.axis),
            format.describe ().c_str ());
  if (format.bytes () >= most_bytes)
    fail (SINO_ERROR_BAD_FORMAT, "gives %s: a stream must stay below %s, check its extents",
          format.describe ().c_str (), bytes_text (most_bytes).c_str ());
}

// Names of the producers of a node: "'scan', 'flats'".
static std::string producers_of (const Net &net, const NetNode &node)
{
  std::string names;
  for (const int producer : node.producers)
    if (producer >= 0)
      names += (names.empty () ? "" : ", ") + in_quotes (net.node (producer).name);
  return names;
}

// Runs `body`; adds the node's title to what it throws. If a format does not fit, the mistake is often in the nodes
// that gave it, so the message names these too.
template <class Body> static auto fed (const Net &net, const NetNode &node, Body body) -> decltype (body ())
{
  try {
    return naming (node, body);
  } catch (const Error &e) {
    if (e.code != SINO_ERROR_BAD_FORMAT || node.producers.empty ())
      throw;
    throw_again (e, node.title + ", fed by " + producers_of (net, node) + (e.what () + node.title.size ()));
  }
}

static std::string source_of (const NetNode &node, std::span<const Format *const> inputs)
{
  for (const auto *input : inputs)
    if (input)
      return input->source;
  return node.name;
}

// Errors of a part name its composite too: users can change only the properties of the composite.
static Format negotiate (const Net &net, const NetNode &node, std::span<const Format *const> inputs)
{
  try {
    return negotiated (*node.task, inputs);
  } catch (const Error &e) {
    if (e.code != SINO_ERROR_BAD_PROPERTY || node.composite < 0)
      throw;
    const auto &composite = net.composite (node.composite);
    if (!composite.inner.sets)
      throw;
    throw_again (e, text ("%s (%s sets its properties)", e.what (), composite.title.c_str ()));
  }
}

// Whether a task asks its producer for the same number of lanes that its consumer asks of it.
static bool passes_lanes (const Task &task)
{
  constexpr int some = 16;
  return task.takes_lanes () && task.wanted_lanes (*native_device (), some) == some &&
         task.output_lanes (some, some) == some;
}

static void settle_format (const Net &net, NetNode &node)
{
  const auto inputs = net.inputs (node);
  Format format = fed (net, node, [&] { return negotiate (net, node, inputs); });
  format.source = source_of (node, inputs);
  if (!inputs.empty () && inputs[0] && inputs[0]->any_lanes)
    format.any_lanes = format.any_lanes && naming (node, [&] { return passes_lanes (*node.task); });
  node.format = naming (node, [&] {
    if (format.companions.any () && format.companions.from.empty ())
      format.companions.from = node.name;
    check_format (format);
    check_companions (*node.task, inputs, format);
    return std::make_shared<const Format> (std::move (format));
  });
}

namespace {

constexpr int most_levels = 32; // levels of composites in composites

class Negotiation
{
public:
  Negotiation (const Site &s, const std::function<void (const std::string &)> &a) : site (s), set_place (a) {}

  // Adds the nodes of a graph in this order; returns for each the node of the net that gives its output.
  std::vector<int> add (const Graph &graph, const std::vector<size_t> &order)
  {
    std::vector<int> places (graph.nodes ().size (), -1);
    for (const auto n : order)
      places[n] = add_node (graph, n, places, -1);
    return places;
  }

  Net net;

private:
  const Site site;
  const std::function<void (const std::string &)> &set_place;
  std::set<std::string> names;

  int add_node (const Graph &graph, size_t n, const std::vector<int> &places, int inside,
                const std::vector<int> &given = {})
  {
    const auto &from = graph.nodes ()[n];
    NetNode node;
    node.composite = inside;
    node.name = inside < 0 ? from.name : net.composite (inside).name + "/" + from.name;
    node.title = title (from, node.name);
    if (!names.insert (node.name).second)
      fail (SINO_ERROR_BAD_GRAPH, "'%s' is also the name of a node inside '%s': choose another", node.name.c_str (),
            node.name.substr (0, node.name.rfind ('/')).c_str ());
    if (set_place)
      set_place (node.title);
    node.task = snapshot (from.task.get ());
    node.producers.assign (input_ports (from).size (), -1);
    for (const auto e : graph.wiring ().into (n)) {
      const auto &edge = graph.edges ()[e];
      node.producers.at (edge.input) = places[edge.from];
    }
    if (inside >= 0)
      for (const auto &feed : net.composite (inside).inner.feeds_of (n))
        node.producers.at (feed.input) = given[feed.port];
    return node.task->composite () ? expand (node) : settle (std::move (node));
  }

  // Adds the parts of a composite.
  int expand (const NetNode &node)
  {
    check_level (node);
    std::vector<bool> connected;
    for (const int producer : node.producers)
      connected.push_back (producer >= 0);
    const auto place = static_cast<int> (net.composites.size ());
    net.composites.push_back ({node.name, node.title, node.composite, fed (net, node, [&] {
                                 const auto inputs = net.inputs (node);
                                 check_taken (*node.task, inputs);
                                 return build (node.task->composite ()->expand (inputs, site), connected);
                               })});
    const auto &inner = net.composites.back ().inner;
    std::vector<int> places (inner.graph.nodes ().size (), -1);
    for (const auto n : inner.order)
      places[n] = add_node (inner.graph, n, places, place, node.producers);
    return places.at (inner.output);
  }

  // Adds a node that is not a composite, and negotiates its output. Returns its index.
  int settle (NetNode node)
  {
    const auto place = static_cast<int> (net.nodes.size ());
    for (size_t port = 0; port < node.producers.size (); port++)
      if (node.producers[port] >= 0)
        net.node (node.producers[port]).consumers.emplace_back (place, static_cast<int> (port));
    settle_format (net, node);
    net.nodes.push_back (std::move (node));
    return place;
  }

  void check_level (const NetNode &node) const
  {
    int levels = 0;
    for (int n = node.composite; n >= 0; n = net.composite (n).composite)
      levels++;
    if (levels >= most_levels)
      fail (SINO_ERROR_BAD_GRAPH, "nodes that stand for other nodes, in more than %d levels: %s", most_levels,
            node.name.c_str ());
  }
};

} // namespace

Net negotiate_net (const Graph &graph, const Site &site, const std::function<void (const std::string &)> &set_place)
{
  Negotiation negotiation (site, set_place);
  auto outputs = negotiation.add (graph, graph.order ());
  auto &net = negotiation.net;
  net.outputs = std::move (outputs);
  return std::move (net);
}

void renegotiate (Net &net, int first, const std::function<void (const std::string &)> &set_place)
{
  std::vector<bool> changed (net.nodes.size ());
  for (size_t n = static_cast<size_t> (first); n < net.nodes.size (); n++) {
    auto &node = net.nodes[n];
    changed[n] = static_cast<int> (n) == first || std::ranges::any_of (node.producers, [&] (int producer) {
                   return producer >= 0 && changed[static_cast<size_t> (producer)];
                 });
    if (!changed[n])
      continue;
    set_place (node.title);
    settle_format (net, node);
  }
}

std::vector<Format> negotiate (const Graph &graph, const Device &device, std::vector<std::string> *messages)
{
  const auto net = negotiate_net (graph, {device, usable_cpus ()});
  if (messages)
    for (const auto &node : net.nodes)
      for (auto &message : node.task->warnings ())
        messages->push_back (std::move (message));
  std::vector<Format> formats;
  for (const int n : net.outputs)
    formats.push_back (*net.node (n).format);
  return formats;
}

} // namespace sino
