// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/net.hpp"
#include "base/error.hpp"
#include "run/outputs.hpp"
#include "run/run.hpp"

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
  const int producer = nodes[static_cast<size_t> (n)].producers[port];
  return producer < 0 ? nullptr : nodes[static_cast<size_t> (producer)].format.get ();
}

std::vector<const Format *> Net::inputs (int n) const
{
  std::vector<const Format *> list;
  for (size_t port = 0; port < nodes[static_cast<size_t> (n)].producers.size (); port++)
    list.push_back (input (n, port));
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
            "two inputs bring darks and flats of their own (from '%s' and '%s', input '%s'): correct each with "
            "'flat-field' before they are joined",
            first->companions.from.c_str (), inputs[i]->companions.from.c_str (), task.inputs ()[i].name);
    first = inputs[i];
  }
}

// Beyond this extents are wrong; below it no product overflows, also where 32 lanes are padded.
constexpr double most_bytes = 0x1p56;

static void check_format (const Format &format)
{
  if (!format.has (Axis::row) && !format.has (Axis::z))
    fail (SINO_ERROR_BAD_FORMAT, "puts out %s: a 'row' or 'z' axis is missing", format.describe ().c_str ());
  for (const auto &dim : format.axes)
    if (dim.extent < 1)
      fail (SINO_ERROR_BAD_FORMAT, "puts out nothing: axis '%s' of %s is empty", name_of (dim.axis),
            format.describe ().c_str ());
  if (format.bytes () >= most_bytes)
    fail (SINO_ERROR_BAD_FORMAT, "puts out %s: a stream must stay below %s, check its extents",
          format.describe ().c_str (), bytes_text (most_bytes).c_str ());
}

// "'scan', 'flats'"
static std::string producers_of (const Net &net, const NetNode &node)
{
  std::string names;
  for (const int producer : node.producers)
    if (producer >= 0)
      names += (names.empty () ? "'" : ", '") + net.nodes[static_cast<size_t> (producer)].name + "'";
  return names;
}

// A format that does not fit is often mended at the nodes that gave it, so the message names these too.
static Format negotiate_node (const Net &net, const NetNode &node, std::span<const Format *const> inputs)
{
  try {
    return naming (node.title, [&] { return node.task->negotiate (inputs); });
  } catch (const Error &e) {
    if (e.code != SINO_ERROR_BAD_FORMAT || inputs.empty ())
      throw;
    throw Error (e.code, node.title + ", fed by " + producers_of (net, node) + (e.what () + node.title.size ()));
  }
}

static std::string source_of (const NetNode &node, std::span<const Format *const> inputs)
{
  for (const auto *input : inputs)
    if (input)
      return input->source;
  return node.name;
}

Net negotiate_net (const Graph &graph)
{
  Net net;
  const auto order = graph.order ();
  std::vector<int> place (graph.nodes ().size (), -1);
  for (const size_t n : order) {
    const auto &from = graph.nodes ()[n];
    place[n] = static_cast<int> (net.nodes.size ());
    NetNode node;
    node.name = from.name;
    node.title = title (from);
    node.task = snapshot (from.task.get ());
    node.producers.assign (node.task->inputs ().size (), -1);
    for (const auto &edge : graph.edges ()) {
      if (edge.to != n)
        continue;
      node.producers[edge.input] = place[edge.from];
      net.nodes[static_cast<size_t> (place[edge.from])].consumers.emplace_back (place[n],
                                                                                static_cast<int> (edge.input));
    }
    net.nodes.push_back (std::move (node));
    auto &added = net.nodes.back ();
    const auto inputs = net.inputs (place[n]);
    Format format = negotiate_node (net, added, inputs);
    format.source = source_of (added, inputs);
    added.format = naming (added.title, [&] {
      if (format.companions.any () && format.companions.from.empty ())
        format.companions.from = added.name;
      check_format (format);
      check_companions (*added.task, inputs, format);
      return std::make_shared<const Format> (std::move (format));
    });
  }
  check_outputs (net);
  return net;
}

std::vector<Format> negotiate (const Graph &graph)
{
  const auto net = negotiate_net (graph);
  const auto order = graph.order ();
  std::vector<Format> formats (order.size ());
  for (size_t i = 0; i < order.size (); i++)
    formats[order[i]] = *net.nodes[i].format;
  return formats;
}

} // namespace sino
