// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/json.hpp"
#include "graph/values.hpp"
#include <charconv>
#include <cmath>

namespace sino::cli {

namespace {

// json-glib's generator writes 1e+20 as 1e+20.0, which is invalid JSON, and 0.1 with 17 digits.
std::string number_text (double value)
{
  if (!std::isfinite (value))
    return "null"; // JSON has no NaN and infinity
  char digits[32];
  const std::string word (digits, std::to_chars (digits, digits + sizeof digits, value).ptr);
  return word.find_first_of (".e") == word.npos ? word + ".0" : word;
}

std::string scalar (JsonNode *node)
{
  switch (json_node_get_value_type (node)) {
  case G_TYPE_STRING:
    return quote_json (json_node_get_string (node));
  case G_TYPE_BOOLEAN:
    return json_node_get_boolean (node) ? "true" : "false";
  case G_TYPE_INT64:
    return std::to_string (json_node_get_int (node));
  default:
    return number_text (json_node_get_double (node));
  }
}

// `line`: line break and indentation for elements of a list or an object; "" puts all in one line.
std::string json (JsonNode *node, const std::string &line)
{
  std::string out;
  const auto inner = line.empty () ? line : line + "  ";
  const auto next = [&] (JsonNode *value) { return json (value, inner); };
  const auto begin = [&] { out += (out.empty () ? "" : ",") + inner; };
  if (JSON_NODE_HOLDS_OBJECT (node)) {
    JsonObjectIter at;
    const gchar *name = nullptr;
    JsonNode *value = nullptr;
    json_object_iter_init_ordered (&at, json_node_get_object (node));
    while (json_object_iter_next_ordered (&at, &name, &value)) {
      begin ();
      out += quote_json (name) + (line.empty () ? ":" : ": ") + next (value);
    }
    return "{" + out + (out.empty () ? "" : line) + "}";
  }
  if (JSON_NODE_HOLDS_ARRAY (node)) {
    auto *list = json_node_get_array (node);
    bool plain = true; // lists of words and numbers are written in one line
    for (guint i = 0; i < json_array_get_length (list); i++)
      plain = plain && JSON_NODE_HOLDS_VALUE (json_array_get_element (list, i));
    for (guint i = 0; i < json_array_get_length (list); i++) {
      if (plain)
        out += out.empty () ? "" : line.empty () ? "," : ", ";
      else
        begin ();
      out += next (json_array_get_element (list, i));
    }
    return "[" + out + (out.empty () || plain ? "" : line) + "]";
  }
  return JSON_NODE_HOLDS_NULL (node) ? "null" : scalar (node);
}

std::string json (GVariant *value, const std::string &line)
{
  const VariantPtr held (g_variant_ref_sink (value));
  const std::unique_ptr<JsonNode, Deleter<json_node_unref>> root (json_gvariant_serialize (held.get ()));
  return json (root.get (), line);
}

} // namespace

std::string json_lines (GVariant *value)
{
  return json (value, "\n") + "\n";
}

std::string json_line (GVariant *value)
{
  return json (value, "");
}

} // namespace sino::cli
