// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/json-reader.hpp"
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include "base/named-error.hpp"
#include "base/shown.hpp"
#include "graph/properties.hpp"
#include <functional>

namespace sino {

namespace {

using Members = std::map<std::string, JsonCursor>;

// Runs `body`; adds `place` to the message of what it throws.
void guard (const JsonCursor &place, const std::function<void ()> &body)
{
  try {
    body ();
  } catch (const Error &e) {
    throw_again (e, place.path + ": " + e.what ());
  }
}

void set_properties (PropertySetter &setter, const JsonCursor &properties)
{
  for (const auto &[key, value] : properties.members ())
    guard (value, [&, k = key, v = value.node] { setter.set (k, v); });
}

void add_node (Graph &graph, const JsonCursor &place, const Members &sets)
{
  const auto found = place.object ({"plugin", "name", "properties", "prop-refs"}, {"plugin", "name"});
  const auto type = found.at ("plugin").string (), name = found.at ("name").string ();
  size_t index = 0;
  guard (place, [&] { index = graph.add (type, name); });
  PropertySetter setter (graph.nodes ()[index]);
  if (const auto properties = found.find ("properties"); properties != found.end ())
    set_properties (setter, properties->second);
  if (const auto refs = found.find ("prop-refs"); refs != found.end ())
    for (const auto &ref : refs->second.elements ()) {
      const auto set = sets.find (ref.string ());
      if (set == sets.end ())
        ref.refuse (text ("no set '%s' in prop-sets", ref.string ().c_str ()));
      set_properties (setter, set->second);
    }
}

void add_edge (Graph &graph, const JsonCursor &place)
{
  const auto found = place.object ({"from", "to"}, {"from", "to"});
  const auto from = found.at ("from").object ({"name", "output"}, {"name"});
  const auto to = found.at ("to").object ({"name", "input"}, {"name"});
  if (const auto output = from.find ("output"); output != from.end ())
    output->second.integer (0); // every task has one output
  size_t source = 0, target = 0;
  guard (from.at ("name"), [&] { source = graph.find (from.at ("name").string ()); });
  guard (to.at ("name"), [&] { target = graph.find (to.at ("name").string ()); });
  const auto input = to.find ("input");
  const auto port = input == to.end () ? 0 : input->second.integer (G_MAXINT);
  guard (place, [&] { graph.connect (source, target, static_cast<size_t> (port)); });
}

Graph read (const JsonCursor &root)
{
  const auto found = root.object ({"sinograph", "nodes", "edges", "prop-sets", "version", "index", "total"}, {"nodes"});
  if (const auto version = found.find ("sinograph"); version != found.end () && version->second.integer (G_MAXINT) != 1)
    version->second.refuse ("this Sinograph reads version 1");
  // UFO writes these keys for graphs that several computers share; a whole graph is part 0 of 1.
  if (const auto part = found.find ("index"); part != found.end ())
    part->second.integer (0);
  if (const auto parts = found.find ("total"); parts != found.end ())
    parts->second.integer (1);

  Members sets;
  if (const auto list = found.find ("prop-sets"); list != found.end ())
    for (auto &[key, set] : list->second.members ()) {
      set.members ();
      sets.insert ({key, set});
    }
  Graph graph;
  for (const auto &node : found.at ("nodes").elements ())
    add_node (graph, node, sets);
  if (const auto edges = found.find ("edges"); edges != found.end ())
    for (const auto &edge : edges->second.elements ())
      add_edge (graph, edge);
  return graph;
}

} // namespace

Graph parse_json (const std::string &json)
{
  scan_json (json);
  return read (JsonDocument (json).root ());
}

Graph load_json (const std::string &path)
{
  const auto json = read_json ("graph", path);
  try {
    return parse_json (json);
  } catch (const Error &e) {
    throw_again (e, in_quotes (path) + ": " + e.what ());
  }
}

} // namespace sino
