// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/graph.hpp"
#include "base/named-error.hpp"
#include "glue/registry.hpp"
#include "graph/snapshot.hpp"
#include <algorithm>
#include <set>

namespace sino {

std::string title (const Node &node)
{
  return title (node, node.name);
}

std::string title (const Node &node, const std::string &full_name)
{
  return node.name == node.type ? text ("'%s'", full_name.c_str ())
                                : text ("'%s' (%s)", full_name.c_str (), node.type.c_str ());
}

// "0 (data), 1 (darks)"
static std::string list_ports (const std::vector<Port> &ports)
{
  return join (ports, ", ", [i = size_t{0}] (const Port &port) mutable { return text ("%zu (%s)", i++, port.name); });
}

size_t Graph::add (const std::string &type, std::string name)
{
  const GType gtype = Registry::get ().find (type);
  if (G_TYPE_IS_ABSTRACT (gtype))
    fail (SINO_ERROR_NOT_FOUND, "node '%s': its type %s is abstract", type.c_str (), g_type_name (gtype));
  return add (ObjectPtr<SinoTask> (SINO_TASK (g_object_new (gtype, nullptr))), std::move (name));
}

size_t Graph::add (ObjectPtr<SinoTask> task, std::string name)
{
  const auto type = Registry::get ().name_of (G_OBJECT_TYPE (task.get ()));
  if (name.empty ())
    for (auto &made = numbers[type]; name.empty () || places.contains (name);) {
      made++;
      name = made == 1 ? type : text ("%s-%d", type.c_str (), made);
    }
  if (!places.emplace (name, nodes_.size ()).second)
    fail (SINO_ERROR_BAD_GRAPH, "two nodes are named '%s'", name.c_str ());
  nodes_.push_back ({std::move (name), type, std::move (task)});
  wiring_.add_node ();
  return nodes_.size () - 1;
}

size_t Graph::find (const std::string &name) const
{
  if (const auto found = places.find (name); found != places.end ())
    return found->second;
  std::vector<std::string> names;
  for (const auto &node : nodes_)
    names.push_back (node.name);
  fail (SINO_ERROR_BAD_GRAPH, "no node is named '%s'%s", name.c_str (), did_you_mean (name, names, ": ").c_str ());
}

void Graph::connect (size_t from, size_t to, size_t input)
{
  const auto &source = nodes_.at (from), &target = nodes_.at (to);
  if (!has_output (source.task.get ()))
    fail (SINO_ERROR_BAD_GRAPH, "%s has no output: it cannot feed %s", title (source).c_str (),
          title (target).c_str ());
  const auto ports = input_ports (target);
  if (ports.empty ())
    fail (SINO_ERROR_BAD_GRAPH, "%s has no inputs: %s cannot feed it", title (target).c_str (),
          title (source).c_str ());
  if (input >= ports.size ())
    fail (SINO_ERROR_BAD_GRAPH, "%s has no input %zu: its inputs are %s", title (target).c_str (), input,
          list_ports (ports).c_str ());
  for (const auto place : wiring_.into (to))
    if (const auto &edge = edges ()[place]; edge.input == input)
      fail (SINO_ERROR_BAD_GRAPH, "input %zu (%s) of %s is connected to %s already: %s cannot feed it too", input,
            ports[input].name, title (target).c_str (), title (nodes_[edge.from]).c_str (), title (source).c_str ());
  if (wiring_.leads (to, from)) {
    std::string names_on_way;
    for (const auto place : wiring_.path (to, from))
      names_on_way += text ("%s -> ", nodes_[place].name.c_str ());
    fail (SINO_ERROR_BAD_GRAPH, "the graph has a cycle: %s%s", names_on_way.c_str (), target.name.c_str ());
  }
  wiring_.add ({from, to, input});
}

// Ports may depend on properties, which may have changed since the edge was made.
static void check_edge (const std::vector<Node> &nodes, const Edge &edge)
{
  const auto &source = nodes[edge.from], &target = nodes[edge.to];
  if (!has_output (source.task.get ()))
    fail (SINO_ERROR_BAD_GRAPH, "%s no longer has the output that feeds %s", title (source).c_str (),
          title (target).c_str ());
  if (edge.input >= input_ports (target).size ())
    fail (SINO_ERROR_BAD_GRAPH, "%s no longer has the input %zu that %s feeds", title (target).c_str (), edge.input,
          title (source).c_str ());
}

Graph Graph::frozen () const
{
  Graph graph;
  for (const auto &node : nodes_)
    graph.nodes_.push_back ({node.name, node.type, copy (node.task.get ())});
  graph.wiring_ = wiring_;
  graph.places = places;
  graph.numbers = numbers;
  return graph;
}

OpenEnds Graph::open_ends () const
{
  OpenEnds open;
  for (size_t i = 0; i < nodes_.size (); i++) {
    const auto ports = input_ports (nodes_[i]);
    std::vector<bool> fed (ports.size ());
    for (const auto place : wiring_.into (i))
      if (const auto input = edges ()[place].input; input < fed.size ())
        fed[input] = true;
    for (size_t input = 0; input < ports.size (); input++)
      if (!ports[input].optional && !fed[input])
        open.inputs.emplace_back (i, input);
    if (has_output (nodes_[i].task.get ()) && wiring_.out_of (i).empty ())
      open.outputs.push_back (i);
  }
  return open;
}

std::vector<size_t> Graph::order (const OpenEnds &expected) const
{
  if (nodes_.empty ())
    fail (SINO_ERROR_BAD_GRAPH, "the graph has no nodes");
  std::vector<size_t> waiting (nodes_.size ()); // number of incoming edges from nodes not yet in the list
  for (const auto &edge : edges ()) {
    check_edge (nodes_, edge);
    waiting[edge.to]++;
  }
  const auto open = open_ends ();
  const std::set<std::pair<size_t, size_t>> expected_inputs (expected.inputs.begin (), expected.inputs.end ());
  for (const auto &[node, input] : open.inputs)
    if (!expected_inputs.contains ({node, input}))
      fail (SINO_ERROR_BAD_GRAPH, "input %zu (%s) of %s is not connected", input,
            input_ports (nodes_[node])[input].name, title (nodes_[node]).c_str ());
  for (const auto node : open.outputs)
    if (std::ranges::find (expected.outputs, node) == expected.outputs.end ())
      fail (SINO_ERROR_BAD_GRAPH, "the output of %s is not connected: connect it, to 'null' if it is not needed",
            title (nodes_[node]).c_str ());
  std::vector<size_t> list;
  std::set<size_t> ready; // connect () allows no cycle, so all nodes get in here
  for (size_t i = 0; i < nodes_.size (); i++)
    if (waiting[i] == 0)
      ready.insert (i);
  while (!ready.empty ()) {
    const auto first = ready.extract (ready.begin ()).value ();
    list.push_back (first);
    for (const auto place : wiring_.out_of (first))
      if (const auto to = edges ()[place].to; --waiting[to] == 0)
        ready.insert (to);
  }
  return list;
}

std::vector<Port> input_ports (const Node &node)
{
  try {
    return input_ports (node.task.get ());
  } catch (const Error &e) {
    throw_again (e, title (node) + ": " + e.what (), node.name);
  }
}

} // namespace sino
