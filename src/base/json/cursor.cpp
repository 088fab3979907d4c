// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/json/cursor.hpp"
#include <algorithm>
#include <cmath>
#include <json-glib/json-glib.h>

namespace sino {

bool JsonCursor::is_array () const
{
  return JSON_NODE_HOLDS_ARRAY (node);
}

bool JsonCursor::is_null () const
{
  return JSON_NODE_HOLDS_NULL (node);
}

bool JsonCursor::is_true () const
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN &&
         json_node_get_boolean (node);
}

JsonCursor JsonDocument::root (std::string path) const
{
  return {json_parser_get_root (parser.get ()), std::move (path)};
}

void JsonCursor::refuse (const std::string &why, SinoError code) const
{
  throw Error (code, path + ": " + why);
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::members () const
{
  if (!JSON_NODE_HOLDS_OBJECT (node))
    refuse ("must be an object");
  std::vector<std::pair<std::string, JsonCursor>> list;
  JsonObjectIter iter;
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  const char *key = nullptr;
  for (JsonNode *value = nullptr; json_object_iter_next_ordered (&iter, &key, &value);)
    list.push_back ({key, {value, path + "." + key}});
  return list;
}

std::map<std::string, JsonCursor> JsonCursor::object (const std::vector<std::string> &known,
                                                      const std::vector<std::string> &needed) const
{
  std::map<std::string, JsonCursor> found;
  for (const auto &[key, value] : members ()) {
    if (std::ranges::count (known, key) == 0)
      value.refuse ("unknown key" + did_you_mean (key, known, ", "));
    found.insert ({key, value});
  }
  for (const auto &key : needed)
    if (!found.contains (key))
      refuse (text ("has no '%s'", key.c_str ()));
  return found;
}

std::vector<JsonCursor> JsonCursor::elements () const
{
  if (!is_array ())
    refuse ("must be an array");
  std::vector<JsonCursor> list;
  auto *array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    list.push_back ({json_array_get_element (array, i), text ("%s[%u]", path.c_str (), i)});
  return list;
}

static bool holds (JsonNode *node, GType type)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

std::string JsonCursor::string () const
{
  if (!holds (node, G_TYPE_STRING))
    refuse ("must be a string");
  std::string s = json_node_get_string (node);
  if (s.empty ())
    refuse ("must not be empty");
  return s;
}

int64_t JsonCursor::integer (int64_t most) const
{
  if (!holds (node, G_TYPE_INT64) || json_node_get_int (node) < 0 || json_node_get_int (node) > most)
    refuse (most > 1 ? text ("must be an integer from 0 to %" G_GINT64_FORMAT, most)
            : most   ? "must be 0 or 1"
                     : "must be 0");
  return json_node_get_int (node);
}

double JsonCursor::number () const
{
  if (!holds (node, G_TYPE_INT64) && !holds (node, G_TYPE_DOUBLE))
    refuse ("must be a number");
  const double value = json_node_get_double (node);
  if (!std::isfinite (value))
    refuse ("the number is too large");
  return value;
}

JsonDocument::JsonDocument (std::string_view json) : parser (json_parser_new_immutable ())
{
  GError *error = nullptr;
  if (!json_parser_load_from_data (parser.get (), json.data (), std::ssize (json), &error))
    fail (SINO_ERROR_BAD_GRAPH, "not JSON: %s", ErrorPtr (error)->message);
}

} // namespace sino
