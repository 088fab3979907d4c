// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/tuning-table.hpp"
#include "base/error.hpp"
#include "glue/pointers.hpp"
#include <algorithm>
#include <charconv>
#include <json-glib/json-glib.h>

namespace sino::back_project {

namespace {

using Words = std::initializer_list<std::string_view>;

constexpr std::string_view interpolations[] = {"linear", "nearest", "oversample"}; // as the enum

// Reads members of an object by turns, and knows its place for messages.
class Object
{
public:
  // `known`: all members that it may have; none given: any.
  Object (JsonNode *node, std::string p, Words known) : place (std::move (p))
  {
    if (!JSON_NODE_HOLDS_OBJECT (node))
      fail (SINO_ERROR_BAD_FILE, "%s is no object", place.c_str ());
    object = json_node_get_object (node);
    for (const auto &name : names ())
      if (known.size () > 0 && std::find (known.begin (), known.end (), name) == known.end ())
        fail (SINO_ERROR_BAD_FILE, "%s has '%s', which nothing reads", place.c_str (), name.c_str ());
  }

  std::vector<std::string> names () const
  {
    std::vector<std::string> all;
    GList *list = json_object_get_members (object);
    for (GList *n = list; n; n = n->next)
      all.emplace_back (static_cast<const char *> (n->data));
    g_list_free (list);
    return all;
  }
  // "" when it is not there; else one of `allowed`, if any are given.
  std::string word (const char *name, Words allowed = {}) const
  {
    if (!has (name))
      return {};
    std::string value = json_node_get_string (member (name, G_TYPE_STRING, "text"));
    if (allowed.size () > 0 && std::find (allowed.begin (), allowed.end (), value) == allowed.end ())
      fail (SINO_ERROR_BAD_FILE, "%s.%s: '%s' is none of those that there are", place.c_str (), name, value.c_str ());
    return value;
  }
  int64_t number (const char *name) const { return json_node_get_int (member (name, G_TYPE_INT64, "whole number")); }
  bool truth (const char *name) const { return json_node_get_boolean (member (name, G_TYPE_BOOLEAN, "truth value")); }
  bool has (const char *name) const { return json_object_has_member (object, name); }
  JsonNode *operator[] (const char *name) const { return json_object_get_member (object, name); }

  void each (const char *name, const auto &body) const
  {
    JsonNode *node = json_object_get_member (object, name);
    if (!node)
      return;
    if (!JSON_NODE_HOLDS_ARRAY (node))
      fail (SINO_ERROR_BAD_FILE, "%s.%s is no list", place.c_str (), name);
    auto *list = json_node_get_array (node);
    for (guint i = 0; i < json_array_get_length (list); i++)
      body (json_array_get_element (list, i), text ("%s.%s[%u]", place.c_str (), name, i));
  }

  const std::string place;

private:
  JsonNode *member (const char *name, GType type, const char *wanted) const
  {
    JsonNode *node = json_object_get_member (object, name);
    if (!node || json_node_get_value_type (node) != type)
      fail (SINO_ERROR_BAD_FILE, "%s.%s is no %s", place.c_str (), name, wanted);
    return node;
  }

  JsonObject *object;
};

Setting read_setting (const Object &in)
{
  std::string parameters;
  if (in.has ("parameters")) {
    const Object values (in["parameters"], in.place + ".parameters", {});
    for (const auto &name : values.names ())
      parameters +=
          text ("%s%s=%" G_GINT64_FORMAT, parameters.empty () ? "" : ",", name.c_str (), values.number (name.c_str ()));
  }
  try {
    const Setting named{in.word ("variant"), {}};
    variant_of (named);
    return parse_setting (named.variant, parameters);
  } catch (const Error &error) {
    fail (SINO_ERROR_BAD_FILE, "%s: %s", in.place.c_str (), error.what ());
  }
}

TunedEntry read_entry (JsonNode *node, const std::string &place, const TunedFamily &family)
{
  const Object in (node, place,
                   {"slices", "interpolation", "half", "variant", "lanes", "parameters", "gups", "reason"});
  TunedEntry entry{{read_setting (in), static_cast<int> (in.number ("lanes")), {}, in.word ("reason")},
                   in.word ("slices", {"one", "many"}),
                   in.word ("interpolation", {interpolations[0], interpolations[1], interpolations[2]}),
                   in.has ("half") ? static_cast<int> (in.truth ("half")) : -1};
  auto &choice = entry.choice;
  choice.origin = !family.name.empty ()    ? family.name
                  : family.vendor.empty () ? default_of_all
                                           : "default of " + family.vendor;
  if (choice.reason.empty ())
    choice.reason = family.reason;
  const auto &lanes = variant_of (choice.setting).lanes;
  if (std::find (lanes.begin (), lanes.end (), choice.lanes) == lanes.end ())
    fail (SINO_ERROR_BAD_FILE, "%s: %s does not take %d lane%s", place.c_str (), choice.setting.variant.c_str (),
          choice.lanes, choice.lanes == 1 ? "" : "s");
  if (in.has ("gups") && in.number ("gups") <= 0)
    fail (SINO_ERROR_BAD_FILE, "%s.gups is no speed", place.c_str ());
  return entry;
}

TunedFamily read_family (JsonNode *node, const std::string &place)
{
  const Object in (node, place, {"family", "vendor", "device", "from", "architectures", "like", "reason", "choices"});
  TunedFamily family{in.word ("family"),
                     in.word ("vendor"),
                     in.word ("device", {"cpu", "gpu"}),
                     in.word ("like"),
                     in.word ("reason"),
                     -1,
                     {},
                     {}};
  if (const auto from = in.word ("from"); !from.empty ()) {
    family.from = version (from);
    if (family.from == 0)
      fail (SINO_ERROR_BAD_FILE, "%s.from: '%s' is no version", place.c_str (), from.c_str ());
  }
  in.each ("architectures", [&] (JsonNode *name, const std::string &where) {
    if (json_node_get_value_type (name) != G_TYPE_STRING)
      fail (SINO_ERROR_BAD_FILE, "%s is no text", where.c_str ());
    family.prefixes.emplace_back (json_node_get_string (name));
  });
  in.each ("choices", [&] (JsonNode *choice, const std::string &where) {
    family.entries.push_back (read_entry (choice, where, family));
  });
  return family;
}

} // namespace

bool TunedEntry::fits (const Situation &now) const
{
  return (slices.empty () || (slices == "many") == now.many) &&
         (interpolation.empty () || interpolation == interpolations[static_cast<size_t> (now.interpolation)]) &&
         (half < 0 || (half == 1) == now.half);
}

double version (const std::string &architecture)
{
  int major = 0, minor = 0;
  const auto *end = architecture.data () + architecture.size ();
  const auto dot = std::from_chars (architecture.data (), end, major).ptr;
  if (dot != end)
    std::from_chars (dot + 1, end, minor);
  return major + 0.01 * minor;
}

std::vector<TunedFamily> read_tuning (const std::string &json)
{
  const ObjectPtr<JsonParser> parser (json_parser_new ());
  GError *error = nullptr;
  if (!json_parser_load_from_data (parser.get (), json.data (), static_cast<gssize> (json.size ()), &error)) {
    const std::string message = error->message;
    g_error_free (error);
    fail (SINO_ERROR_BAD_FILE, "tuning.json: %s", message.c_str ());
  }
  JsonNode *root = json_parser_get_root (parser.get ());
  if (!root)
    fail (SINO_ERROR_BAD_FILE, "tuning.json is empty");
  std::vector<TunedFamily> families;
  const Object table (root, "tuning.json", {"about", "families"});
  table.each ("families", [&] (JsonNode *node, const std::string &place) {
    families.push_back (read_family (node, place));
    const auto &family = families.back ();
    if (!family.name.empty () && std::count_if (families.begin (), families.end (),
                                                [&] (const auto &other) { return other.name == family.name; }) > 1)
      fail (SINO_ERROR_BAD_FILE, "%s: there is a family '%s' before", place.c_str (), family.name.c_str ());
  });
  for (size_t i = 0; i < families.size (); i++)
    if (const auto &like = families[i].like;
        !like.empty () &&
        std::none_of (families.begin (), families.end (), [&] (const auto &other) { return other.name == like; }))
      fail (SINO_ERROR_BAD_FILE, "tuning.json.families[%zu] is like '%s', which is not there", i, like.c_str ());
  return families;
}

} // namespace sino::back_project
