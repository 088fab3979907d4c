// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/properties.hpp"
#include "base/kept-report.hpp"
#include "base/named-error.hpp"
#include "glue/binding.hpp"
#include "glue/foreign-traits.hpp"
#include <algorithm>

namespace sino {

namespace {

constexpr auto writable = GParamFlags (G_PARAM_READWRITE);

[[noreturn]] void refuse (const Node &node, const std::string &property, const std::string &why)
{
  throw NamedError (SINO_ERROR_BAD_PROPERTY, title (node) + ": " + why, node.name, property);
}

// The property, or null if it cannot be set on an existing node.
GParamSpec *find (const Node &node, const std::string &name)
{
  auto *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (node.task.get ()), name.c_str ());
  if (spec && (spec->flags & writable) == writable && !(spec->flags & G_PARAM_CONSTRUCT_ONLY))
    return spec;
  if (spec)
    refuse (node, name, text ("property '%s' cannot be set", name.c_str ()));
  std::vector<std::string> names;
  for (auto *known : list_properties (G_OBJECT_TYPE (node.task.get ())))
    names.push_back (known->name);
  const auto known = names.empty () ? "it has none" : "the properties are " + join (names);
  refuse (node, name, text ("no property '%s': %s", name.c_str (), did_you_mean (name, names, "", known).c_str ()));
}

[[noreturn]] void refuse (const Node &node, GParamSpec *spec, const Literal &got)
{
  refuse (node, spec->name,
          text ("property '%s' wants %s, got %s%s", spec->name, wanted (spec).c_str (), got.describe ().c_str (),
                did_you_mean (got.word, choices (spec), ": ").c_str ()));
}

void set (const Node &node, const std::string &name, const Literal &literal)
{
  auto *spec = find (node, name);
  Value value (spec->value_type);
  // Validation clamps a value that is out of bounds; this is reported as an error.
  if (!convert (literal, spec, value.get ()) || g_param_value_validate (spec, value.get ()))
    refuse (node, spec, literal);
  // Held (glue/held.hpp) writes the value into the member that the property table of the node names. Negotiation
  // copies the task with snapshot () (plan/net); workers use that copy.
  const KeptReport report; // memory may be missing for the word
  g_object_set_property (G_OBJECT (node.task.get ()), spec->name, value.get ());
  report.rethrow ();
}

Value value_of (SinoTask *task, GParamSpec *spec)
{
  Value value (spec->value_type);
  const KeptReport report;
  g_object_get_property (G_OBJECT (task), spec->name, value.get ());
  report.rethrow ();
  return value;
}

Value default_of (GParamSpec *spec)
{
  Value value (spec->value_type);
  g_param_value_set_default (spec, value.get ());
  return value;
}

std::string json (const Value &value, Quote quote)
{
  const auto word = to_text (value.get ());
  if (is_text (value))
    return quote (word);
  // Without a point, -0 would be read as the integer 0, and a large number as an integer of more than 64 bits.
  const bool real = G_VALUE_HOLDS_DOUBLE (value.get ()) || G_VALUE_HOLDS_FLOAT (value.get ());
  const bool ambiguous = word == "-0" || (word.size () > 18 && word.find_first_of (".e") == word.npos);
  return real && ambiguous ? word + ".0" : word;
}

} // namespace

void set_property (const Node &node, const std::string &name, const std::string &word)
{
  set (node, name, {Literal::Kind::word, word});
}

void set_property (const Node &node, const std::string &name, JsonNode *value)
{
  set (node, name, literal (value));
}

void set_property (const Node &node, const std::string &name, const GValue *value)
{
  set (node, name, literal (value));
}

void PropertySetter::claim (std::string name)
{
  std::ranges::replace (name, '_', '-'); // GObject accepts both
  if (!done.insert (name).second)
    fail (SINO_ERROR_BAD_GRAPH, "property '%s' of %s is set twice", name.c_str (), title (node).c_str ());
}

std::vector<GParamSpec *> list_properties (GType type)
{
  const std::unique_ptr<GObjectClass, Deleter<g_type_class_unref>> owner (
      static_cast<GObjectClass *> (g_type_class_ref (type)));
  guint n = 0;
  const std::unique_ptr<GParamSpec *, Deleter<g_free>> specs (g_object_class_list_properties (owner.get (), &n));
  std::vector<GParamSpec *> list (specs.get (), specs.get () + n);
  std::erase_if (list, [] (GParamSpec *spec) {
    return (spec->flags & writable) != writable || (spec->flags & G_PARAM_CONSTRUCT_ONLY);
  });
  return list;
}

bool is_set (SinoTask *task, GParamSpec *spec)
{
  return property_text (task, spec) != default_text (spec); // exact, unlike GLib's comparison of doubles
}

std::string property_text (SinoTask *task, GParamSpec *spec)
{
  return to_text (value_of (task, spec).get ());
}

std::string default_text (GParamSpec *spec)
{
  return to_text (default_of (spec).get ());
}

std::string property_json (SinoTask *task, GParamSpec *spec, Quote quote)
{
  return json (value_of (task, spec), quote);
}

std::string default_json (GParamSpec *spec)
{
  return json (default_of (spec), quote_json);
}

std::vector<std::string> live_properties (SinoTask *task)
{
  std::vector<std::string> names;
  const bool ours = task_type (G_OBJECT_TYPE (task));
  for (const auto *spec : list_properties (G_OBJECT_TYPE (task))) {
    const auto is_named = [spec] (const std::string &name) { return name == spec->name; };
    if (ours ? spec->flags & live_flag : std::ranges::any_of (foreign_traits (task).live, is_named))
      names.emplace_back (spec->name);
  }
  return names;
}

} // namespace sino
