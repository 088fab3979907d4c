// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/table-reader.hpp"
#include <algorithm>

namespace sino::families {

namespace {

std::vector<std::string> names_of (JsonObject *object)
{
  std::vector<std::string> names;
  GList *list = json_object_get_members (object);
  for (GList *n = list; n; n = n->next)
    names.emplace_back (static_cast<const char *> (n->data));
  g_list_free (list);
  return names;
}

} // namespace

TableObject::TableObject (JsonNode *node, std::string p) : place (std::move (p))
{
  if (!JSON_NODE_HOLDS_OBJECT (node))
    fail (SINO_ERROR_BAD_FILE, "%s is no object", place.c_str ());
  object = json_node_get_object (node);
}

void TableObject::check_members (const std::vector<std::string_view> &known) const
{
  for (const auto &name : names_of (object))
    if (std::find (known.begin (), known.end (), name) == known.end ())
      fail (SINO_ERROR_BAD_FILE, "%s has '%s', which nothing reads", place.c_str (), name.c_str ());
}

JsonNode *TableObject::member (const char *name, GType type, const char *what) const
{
  JsonNode *node = json_object_get_member (object, name);
  if (!node || json_node_get_value_type (node) != type)
    fail (SINO_ERROR_BAD_FILE, "%s.%s is no %s", place.c_str (), name, what);
  return node;
}

std::string TableObject::word (const char *name) const
{
  return has (name) ? json_node_get_string (member (name, G_TYPE_STRING, "text")) : "";
}

int64_t TableObject::one_of (const char *name, const std::vector<const char *> &allowed) const
{
  const auto value = word (name);
  for (size_t i = 0; i < allowed.size (); i++)
    if (value == allowed[i])
      return static_cast<int64_t> (i);
  fail (SINO_ERROR_BAD_FILE, "%s.%s: '%s' is none of those that there are", place.c_str (), name, value.c_str ());
}

std::vector<std::pair<std::string, int64_t>> TableObject::numbers (const char *name) const
{
  const TableObject inner (json_object_get_member (object, name), place + "." + name);
  std::vector<std::pair<std::string, int64_t>> list;
  for (const auto &each : names_of (inner.object))
    list.emplace_back (each, inner.number (each.c_str ()));
  return list;
}

std::vector<JsonNode *> TableObject::elements (const char *name) const
{
  std::vector<JsonNode *> list;
  JsonNode *node = json_object_get_member (object, name);
  if (!node)
    return list;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    fail (SINO_ERROR_BAD_FILE, "%s.%s is no list", place.c_str (), name);
  auto *array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    list.push_back (json_array_get_element (array, i));
  return list;
}

std::vector<TableObject> TableObject::objects (const char *name) const
{
  std::vector<TableObject> list;
  for (auto *node : elements (name))
    list.emplace_back (node, text ("%s.%s[%zu]", place.c_str (), name, list.size ()));
  return list;
}

std::vector<std::string> TableObject::texts (const char *name) const
{
  std::vector<std::string> list;
  for (auto *node : elements (name)) {
    if (json_node_get_value_type (node) != G_TYPE_STRING)
      fail (SINO_ERROR_BAD_FILE, "%s.%s[%zu] is no text", place.c_str (), name, list.size ());
    list.emplace_back (json_node_get_string (node));
  }
  return list;
}

TableDocument::TableDocument (const std::string &json) : parser (json_parser_new ())
{
  GError *error = nullptr;
  if (!json_parser_load_from_data (parser.get (), json.data (), static_cast<gssize> (json.size ()), &error)) {
    const std::string message = error->message;
    g_error_free (error);
    fail (SINO_ERROR_BAD_FILE, "tuning.json: %s", message.c_str ());
  }
  if (!json_parser_get_root (parser.get ()))
    fail (SINO_ERROR_BAD_FILE, "tuning.json is empty");
}

TableObject TableDocument::root () const
{
  return {json_parser_get_root (parser.get ()), "tuning.json"};
}

} // namespace sino::families
