// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of any GObject task as text and JSON. Values are checked, never clamped.
#pragma once
#include "graph/graph.hpp"
#include "graph/values.hpp"
#include <json-glib/json-glib.h>
#include <set>

namespace sino {

// Sets a property from the user's text. Throws SINO_ERROR_BAD_PROPERTY with the node's title, the property, the values
// that it accepts and the given one.
SINO_VISIBLE void set_property (const Node &node, const std::string &name, const std::string &word);
SINO_VISIBLE void set_property (const Node &node, const std::string &name, JsonNode *value);
SINO_VISIBLE void set_property (const Node &node, const std::string &name, const GValue *value);

// Sets properties of a node, each at most once.
class SINO_VISIBLE PropertySetter
{
public:
  explicit PropertySetter (const Node &n) : node (n) {}
  template <class Given> void set (const std::string &name, const Given &given)
  {
    claim (name);
    set_property (node, name, given);
  }

private:
  const Node &node;
  std::set<std::string> done;

  void claim (std::string name);
};

// The properties of a task type that can be set, in the order of their definition.
SINO_VISIBLE std::vector<GParamSpec *> list_properties (GType type);

// Whether the property differs from its default.
SINO_VISIBLE bool is_set (SinoTask *task, GParamSpec *spec);
// The value, and the default, in the form that set_property () reads: numbers with the fewest digits that are exact.
SINO_VISIBLE std::string property_text (SinoTask *task, GParamSpec *spec);
SINO_VISIBLE std::string default_text (GParamSpec *spec);
// The value, and the default, as a JSON literal: 296.5, true, "hann".
SINO_VISIBLE std::string property_json (SinoTask *task, GParamSpec *spec, Quote quote = quote_json);
SINO_VISIBLE std::string default_json (GParamSpec *spec);

// Names of the properties that may be changed during a run.
SINO_VISIBLE std::vector<std::string> live_properties (SinoTask *task);

} // namespace sino
