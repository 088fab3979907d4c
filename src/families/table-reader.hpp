// SPDX-License-Identifier: LGPL-3.0-or-later
// JSON whose every member is asked for, and whose messages name the place: "tuning.json.families[3].lanes is no whole
// number".
#pragma once
#include "base/error.hpp"
#include "base/pointers.hpp"
#include <json-glib/json-glib.h>

namespace sino::families {

class TableObject
{
public:
  TableObject (JsonNode *node, std::string place);

  void check_members (const std::vector<std::string_view> &known) const;
  bool has (const char *name) const { return json_object_has_member (object, name); }
  std::string word (const char *name) const; // "" when it is not there
  // The place of the member's text in the list.
  int64_t one_of (const char *name, const std::vector<const char *> &allowed) const;
  int64_t number (const char *name) const { return json_node_get_int (member (name, G_TYPE_INT64, "whole number")); }
  std::vector<std::pair<std::string, int64_t>> numbers (const char *name) const; // an object's
  std::vector<TableObject> objects (const char *name) const;                     // a list's; empty when not there
  std::vector<std::string> texts (const char *name) const;

  std::string place;

private:
  JsonObject *object;

  JsonNode *member (const char *name, GType type, const char *what) const;
  std::vector<JsonNode *> elements (const char *name) const;
};

class TableDocument
{
public:
  explicit TableDocument (const std::string &json);
  TableObject root () const;

private:
  ObjectPtr<JsonParser> parser;
};

} // namespace sino::families
