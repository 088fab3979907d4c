// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "base/json-scanner.hpp"
#include "graph/json.hpp"
#include <algorithm>
#include <functional>
#include <json-glib/json-glib.h>

namespace sino {

namespace {

// A value of the file and where it is: "$.nodes[2].name".
struct Place {
  JsonNode *node;
  std::string path;

  [[noreturn]] void refuse (const std::string &why, SinoError code = SINO_ERROR_BAD_GRAPH) const
  {
    throw Error (code, path + ": " + why);
  }

  // Does something that may throw, and says where.
  void guard (const std::function<void ()> &body) const
  {
    try {
      body ();
    } catch (const Error &e) {
      refuse (e.what (), e.code);
    }
  }

  // Members of an object.
  std::vector<std::pair<std::string, Place>> members () const
  {
    if (!JSON_NODE_HOLDS_OBJECT (node))
      refuse ("must be an object");
    std::vector<std::pair<std::string, Place>> list;
    JsonObjectIter iter;
    json_object_iter_init_ordered (&iter, json_node_get_object (node));
    const char *key = nullptr;
    for (JsonNode *value = nullptr; json_object_iter_next_ordered (&iter, &key, &value);)
      list.push_back ({key, {value, path + "." + key}});
    return list;
  }

  // Members of an object that may have these keys only.
  std::vector<std::pair<std::string, Place>> members (const std::vector<std::string> &known) const
  {
    auto list = members ();
    for (const auto &[key, value] : list)
      if (std::find (known.begin (), known.end (), key) == known.end ()) {
        const auto near = nearest (key, known);
        value.refuse (near.empty () ? "unknown key" : text ("unknown key, did you mean '%s'?", near.c_str ()));
      }
    return list;
  }

  std::vector<Place> elements () const
  {
    if (!JSON_NODE_HOLDS_ARRAY (node))
      refuse ("must be an array");
    std::vector<Place> list;
    auto *array = json_node_get_array (node);
    for (guint i = 0; i < json_array_get_length (array); i++)
      list.push_back ({json_array_get_element (array, i), text ("%s[%u]", path.c_str (), i)});
    return list;
  }

  std::string string () const
  {
    if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
      refuse ("must be a string");
    std::string s = json_node_get_string (node);
    if (s.empty ())
      refuse ("must not be empty");
    return s;
  }

  int64_t integer (int64_t most) const
  {
    if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64 ||
        json_node_get_int (node) < 0 || json_node_get_int (node) > most)
      refuse (most > 1 ? text ("must be an integer from 0 to %" G_GINT64_FORMAT, most)
              : most   ? "must be 0 or 1"
                       : "must be 0");
    return json_node_get_int (node);
  }
};

using Members = std::map<std::string, Place>;

Members object (const Place &place, const std::vector<std::string> &known, const std::vector<std::string> &needed)
{
  Members found;
  for (auto &[key, value] : place.members (known))
    found.insert ({key, value});
  for (const auto &key : needed)
    if (!found.contains (key))
      place.refuse (text ("has no '%s'", key.c_str ()));
  return found;
}

void set_properties (PropertySetter &setter, const Place &properties)
{
  for (const auto &[key, value] : properties.members ())
    value.guard ([&, k = key, v = value.node] { setter.set (k, v); });
}

void add_node (Graph &graph, const Place &place, const Members &sets)
{
  const auto found = object (place, {"plugin", "name", "properties", "prop-refs"}, {"plugin", "name"});
  const auto plugin = found.at ("plugin").string (), name = found.at ("name").string ();
  size_t index = 0;
  place.guard ([&] { index = graph.add (plugin, name); });
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

void add_edge (Graph &graph, const Place &place)
{
  const auto found = object (place, {"from", "to"}, {"from", "to"});
  const auto from = object (found.at ("from"), {"name", "output"}, {"name"});
  const auto to = object (found.at ("to"), {"name", "input"}, {"name"});
  if (const auto output = from.find ("output"); output != from.end ())
    output->second.integer (0); // every task has one output
  size_t source = 0, target = 0;
  from.at ("name").guard ([&] { source = graph.find (from.at ("name").string ()); });
  to.at ("name").guard ([&] { target = graph.find (to.at ("name").string ()); });
  const auto input = to.find ("input");
  const auto port = input == to.end () ? 0 : input->second.integer (G_MAXINT);
  place.guard ([&] { graph.connect (source, target, static_cast<size_t> (port)); });
}

Graph read (const Place &root)
{
  const auto found =
      object (root, {"sinograph", "nodes", "edges", "prop-sets", "version", "index", "total"}, {"nodes"});
  if (const auto version = found.find ("sinograph"); version != found.end () && version->second.integer (G_MAXINT) != 1)
    version->second.refuse ("this Sinograph reads version 1");
  // UFO writes these for graphs that several computers share; the whole graph is 0 of 1.
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
  const ObjectPtr<JsonParser> parser (json_parser_new ());
  GError *error = nullptr;
  if (!json_parser_load_from_data (parser.get (), json.data (), static_cast<gssize> (json.size ()), &error))
    fail (SINO_ERROR_BAD_GRAPH, "not JSON: %s", ErrorPtr (error)->message);
  auto *root = json_parser_get_root (parser.get ());
  return read ({root, "$"});
}

Graph load_json (const std::string &path)
{
  const auto json = read_json ("graph", path);
  try {
    return parse_json (json);
  } catch (const Error &e) {
    throw Error (e.code, path + ": " + e.what ());
  }
}

} // namespace sino
