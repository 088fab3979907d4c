// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "base/json/cursor.hpp"
#include "glue/registry.hpp"
#include "graph/properties.hpp"
#include "ufo/ufo.hpp"
#include <algorithm>
#include <json-glib/json-glib.h>

namespace sino::ufo {

namespace {

using Members = std::map<std::string, JsonCursor>;

Members members (const JsonCursor &object)
{
  const auto list = object.members ();
  return {list.begin (), list.end ()};
}

const Members &table ()
{
  static const JsonDocument document (table_text);
  static const Members nodes = members (document.root ());
  return nodes;
}

std::string said (const Members &entry, const char *key)
{
  const auto found = entry.find (key);
  return found == entry.end () ? "" : json_node_get_string (found->second.node);
}

Members properties (const Members &entry)
{
  const auto found = entry.find ("properties");
  return found == entry.end () ? Members{} : members (found->second);
}

bool same_value (const std::string &a, const std::string &b)
{
  double x = 0, y = 0;
  return a == b || (parse_number (a, x) && parse_number (b, y) && x == y);
}

bool has_property (const std::string &type, const std::string &name)
{
  const auto specs = list_properties (Registry::get ().find (type));
  return std::ranges::any_of (specs, [&] (auto *s) { return name == s->name; });
}

void translate_property (Node &node, const std::string &name, const std::string &given, const Members &entry)
{
  if (const auto usual = entry.find ("default"); usual != entry.end () && same_value (said (entry, "default"), given))
    return;
  if (const auto why = said (entry, "refused"); !why.empty ())
    refuse (node, name, why);
  const auto here = said (entry, "here");
  if (here.empty () || entry.contains ("rewrite") || entry.contains ("ignored"))
    return;
  auto value = given;
  if (const auto values = entry.find ("values"); values != entry.end ()) {
    const auto words = members (values->second);
    const auto found = words.find (given);
    if (found == words.end ())
      refuse (node, name,
              text ("'%s' has no equivalent here; possible values are %s", given.c_str (),
                    join (words, ", ", [] (const auto &w) { return w.first; }).c_str ()));
    value = json_node_get_string (found->second.node);
  }
  if (const auto factor = entry.find ("factor"); factor != entry.end ()) {
    double number = 0;
    if (!parse_number (given, number))
      refuse (node, name, text ("it must be a number, not '%s'", given.c_str ()));
    value = text ("%.17g", number * factor->second.number ());
  }
  node.set.emplace (here, value);
}

const JsonCursor &row (const Node &node)
{
  const auto found = table ().find (node.type);
  if (found == table ().end ())
    refuse (node, "", "no UFO node with an equivalent has this name; 'sinograph inspect' lists all nodes of Sinograph");
  return found->second;
}

// Checks each node alone, so that its own mistakes are reported before those of its place in the graph.
void check (Graph &graph)
{
  for (auto &node : graph.nodes) {
    const auto entry = members (row (node));
    if (const auto why = said (entry, "refused"); !why.empty ())
      refuse (node, "", why);
    const auto known = properties (entry);
    for (const auto &[name, value] : node.given) {
      const auto found = known.find (name);
      if (found == known.end ())
        refuse (node, name, "this property of UFO is not supported, see docs/guide/for-ufo-users.md");
      translate_property (node, name, value, members (found->second));
    }
    for (const auto &[name, property] : known)
      if (const auto cells = members (property); cells.contains ("absent") && !cells.contains ("rewrite"))
        node.set.emplace (said (cells, "here"), said (cells, "absent"));
  }
}

} // namespace

void refuse (const Node &node, const std::string &property, const std::string &why)
{
  const auto where = property.empty () ? node.type : node.type + " " + property + "=";
  fail (property.empty () ? SINO_ERROR_BAD_GRAPH : SINO_ERROR_BAD_PROPERTY, "UFO's '%s': %s", where.c_str (),
        why.c_str ());
}

bool is_ufo (const Graph &graph)
{
  if (!Registry::get ().none_text ().empty ()) // then names that only UFO has cannot be recognised
    return false;
  return std::ranges::any_of (graph.nodes, [] (const Node &node) {
    const auto found = table ().find (node.type);
    if (found == table ().end ())
      return false;
    if (std::ranges::count (Registry::get ().names (), node.type) == 0) // Sinograph has no such node
      return true;
    const auto known = properties (members (found->second));
    return std::ranges::any_of (node.given, [&] (const auto &given) {
      return known.contains (given.first) && !has_property (node.type, given.first);
    });
  });
}

sino::Graph translate (Graph graph)
{
  check (graph);
  rewrite (graph);
  sino::Graph made;
  std::vector<size_t> places (graph.nodes.size ());
  for (size_t i = 0; i < graph.nodes.size (); i++) {
    const auto &node = graph.nodes[i];
    if (node.type.empty ())
      continue;
    places[i] = made.add (said (members (row (node)), "here"), node.name);
    PropertySetter setter (made.nodes ()[places[i]]);
    for (const auto &[name, value] : node.set)
      setter.set (name, value);
  }
  for (const auto &edge : graph.edges)
    made.connect (places[edge.from], places[edge.to], edge.input);
  return made;
}

} // namespace sino::ufo
