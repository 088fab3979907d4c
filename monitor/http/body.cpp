// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/body.hpp"
#include "base/text.hpp"
#include <cmath>
#include <json-glib/json-glib.h>

namespace sino::monitor {

static JsonDocument parse (const std::string &body)
{
  try {
    scan_json (body);
    JsonDocument document (body);
    static_cast<void> (document.root ().members ()); // throws if it is no object
    return document;
  } catch (const Error &error) {
    throw Refused (400, std::string ("the body is no JSON object: ") + error.what ());
  }
}

Body::Body (const Request &request) : document (parse (request.body)) {}

JsonNode *Body::member (const char *name) const
{
  auto *found = json_object_get_member (json_node_get_object (document.root ().node), name);
  if (!found)
    throw Refused (400, std::string (name) + " is missing");
  return found;
}

// Texts, numbers and flags as texts.
static std::string word_of (const char *name, JsonNode *node)
{
  if (JSON_NODE_HOLDS_VALUE (node))
    switch (json_node_get_value_type (node)) {
    case G_TYPE_STRING:
      return json_node_get_string (node);
    case G_TYPE_BOOLEAN:
      return json_node_get_boolean (node) ? "true" : "false";
    case G_TYPE_INT64:
      return std::to_string (json_node_get_int (node));
    case G_TYPE_DOUBLE:
      return text ("%.17g", json_node_get_double (node));
    default:
      break;
    }
  throw Refused (400, std::string (name) + " must be a text or a number");
}

std::string Body::text (const char *name) const
{
  return word_of (name, member (name));
}

int64_t Body::integer (const char *name, int64_t least, int64_t most) const
{
  int64_t value = 0;
  if (!parse_integer (text (name), value) || value < least || value > most)
    throw Refused (400, sino::text ("%s must be a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, name,
                                    least, most));
  return value;
}

std::map<std::string, std::string> Body::words (const char *name) const
{
  auto *node = member (name);
  if (!JSON_NODE_HOLDS_OBJECT (node))
    throw Refused (400, std::string (name) + " must be an object");
  std::map<std::string, std::string> all;
  JsonObjectIter at;
  json_object_iter_init (&at, json_node_get_object (node));
  const char *key = nullptr;
  for (JsonNode *value = nullptr; json_object_iter_next (&at, &key, &value);)
    all.emplace (key, word_of (key, value));
  return all;
}

} // namespace sino::monitor
