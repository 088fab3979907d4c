// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/tuning.hpp"
#include "base/error.hpp"
#include "glue/pointers.hpp"
#include "opencl/source.hpp"
#include <algorithm>
#include <charconv>
#include <json-glib/json-glib.h>

namespace sino::back_project {

namespace {

struct Entry {
  TunedChoice choice;
  std::string slices, interpolation; // "": any
  int half = -1;                     // -1: any

  bool fits (const Situation &now) const
  {
    constexpr const char *names[] = {"linear", "nearest", "oversample"}; // as the enum
    return (slices.empty () || (slices == "many") == now.many) &&
           (interpolation.empty () || interpolation == names[static_cast<size_t> (now.interpolation)]) &&
           (half < 0 || half == now.half);
  }
};

struct Family {
  std::string name, vendor, like;
  double from = -1;                  // least version
  std::vector<std::string> prefixes; // of the architecture
  std::vector<Entry> entries;

  std::string origin () const
  {
    return !name.empty () ? name : vendor.empty () ? "default of all" : "default of " + vendor;
  }
};

// "8.6" as 8.06, so that 12.10 is after 12.9.
double version (const std::string &architecture)
{
  int major = 0, minor = 0;
  const auto *end = architecture.data () + architecture.size ();
  const auto dot = std::from_chars (architecture.data (), end, major).ptr;
  if (dot != end)
    std::from_chars (dot + 1, end, minor);
  return major + 0.01 * minor;
}

// Reads members of an object by turns, and knows its place for messages.
class Object
{
public:
  Object (JsonNode *node, std::string p) : place (std::move (p))
  {
    if (!JSON_NODE_HOLDS_OBJECT (node))
      fail (SINO_ERROR_BAD_FILE, "%s is no object", place.c_str ());
    object = json_node_get_object (node);
  }

  std::string word (const char *name) const
  {
    JsonNode *node = json_object_get_member (object, name);
    if (node && json_node_get_value_type (node) != G_TYPE_STRING)
      fail (SINO_ERROR_BAD_FILE, "%s.%s is no text", place.c_str (), name);
    return node ? json_node_get_string (node) : "";
  }
  int64_t number (const char *name) const
  {
    JsonNode *node = json_object_get_member (object, name);
    if (!node || json_node_get_value_type (node) != G_TYPE_INT64)
      fail (SINO_ERROR_BAD_FILE, "%s.%s is no whole number", place.c_str (), name);
    return json_node_get_int (node);
  }
  bool has (const char *name) const { return json_object_has_member (object, name); }
  bool truth (const char *name) const { return json_object_get_boolean_member (object, name); }

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
  JsonObject *object;
};

Entry read_entry (JsonNode *node, const std::string &place, const std::string &origin)
{
  const Object in (node, place);
  Entry entry{{{in.word ("variant"), {}}, static_cast<int> (in.number ("lanes")), origin},
              in.word ("slices"),
              in.word ("interpolation"),
              in.has ("half") ? static_cast<int> (in.truth ("half")) : -1};
  try {
    std::string parameters;
    if (in.has ("parameters")) {
      const Object values (json_object_get_member (in.object, "parameters"), place + ".parameters");
      GList *names = json_object_get_members (values.object);
      for (GList *n = names; n; n = n->next) {
        const auto *name = static_cast<const char *> (n->data);
        parameters += text ("%s%s=%" G_GINT64_FORMAT, parameters.empty () ? "" : ",", name, values.number (name));
      }
      g_list_free (names);
    }
    entry.choice.setting = parse_setting (entry.choice.setting.variant, parameters);
  } catch (const Error &error) {
    fail (SINO_ERROR_BAD_FILE, "%s: %s", place.c_str (), error.what ());
  }
  const auto &variant = variant_of (entry.choice.setting);
  if (std::find (variant.lanes.begin (), variant.lanes.end (), entry.choice.lanes) == variant.lanes.end ())
    fail (SINO_ERROR_BAD_FILE, "%s: %s does not take %d lanes", place.c_str (), variant.name, entry.choice.lanes);
  return entry;
}

Family read_family (JsonNode *node, const std::string &place)
{
  const Object in (node, place);
  Family family{in.word ("family"), in.word ("vendor"), in.word ("like"), -1, {}, {}};
  if (const auto from = in.word ("from"); !from.empty ())
    family.from = version (from);
  in.each ("architectures",
           [&] (JsonNode *name, const std::string &) { family.prefixes.emplace_back (json_node_get_string (name)); });
  in.each ("choices", [&] (JsonNode *choice, const std::string &where) {
    family.entries.push_back (read_entry (choice, where, family.origin ()));
  });
  return family;
}

std::vector<Family> read_table (const std::string &json)
{
  const ObjectPtr<JsonParser> parser (json_parser_new ());
  GError *error = nullptr;
  if (!json_parser_load_from_data (parser.get (), json.data (), static_cast<gssize> (json.size ()), &error)) {
    const std::string message = error->message;
    g_error_free (error);
    fail (SINO_ERROR_BAD_FILE, "tuning.json: %s", message.c_str ());
  }
  std::vector<Family> families;
  const Object table (json_parser_get_root (parser.get ()), "tuning.json");
  table.each ("families",
              [&] (JsonNode *node, const std::string &place) { families.push_back (read_family (node, place)); });
  for (const auto &family : families)
    if (!family.like.empty () && std::none_of (families.begin (), families.end (),
                                               [&] (const auto &other) { return other.name == family.like; }))
      fail (SINO_ERROR_BAD_FILE, "tuning.json: %s is like '%s', which is not there", family.origin ().c_str (),
            family.like.c_str ());
  return families;
}

const std::vector<Family> &families ()
{
  static const auto all = read_table (kernels::kernel_file ("back-project/tuning.json"));
  return all;
}

const Family *find (const OpenclFacts &facts)
{
  const Family *best = nullptr;
  const auto wanted = version (facts.architecture);
  for (const auto &family : families ()) {
    if (family.name.empty () || family.vendor != facts.vendor)
      continue;
    const bool prefix = std::any_of (family.prefixes.begin (), family.prefixes.end (),
                                     [&] (const auto &p) { return facts.architecture.starts_with (p); });
    const bool later = family.from >= 0 && !facts.architecture.empty () && family.from <= wanted;
    // The longest prefix, the latest version.
    if (prefix || (later && (!best || best->from <= family.from)) ||
        (family.prefixes.empty () && family.from < 0 && !best))
      best = &family;
    if (prefix)
      break;
  }
  return best;
}

} // namespace

std::string family_of (const OpenclFacts &facts)
{
  const auto *family = find (facts);
  return family ? family->name : "";
}

std::vector<TunedChoice> tuned_choices (const OpenclFacts &facts, const Situation &situation)
{
  std::vector<TunedChoice> list;
  const auto add = [&] (const Family &family) {
    for (const auto &entry : family.entries)
      if (entry.fits (situation))
        list.push_back (entry.choice);
  };
  const auto *family = find (facts);
  for (int depth = 0; family && depth < 8; depth++) { // "like" of "like"
    add (*family);
    const auto next = std::find_if (families ().begin (), families ().end (),
                                    [&] (const auto &f) { return !f.name.empty () && f.name == family->like; });
    family = next == families ().end () ? nullptr : &*next;
  }
  for (const auto &vendor : {facts.vendor, std::string ()})
    for (const auto &other : families ())
      if (other.name.empty () && other.vendor == vendor)
        add (other);
  return list;
}

std::vector<TunedChoice> choices_in (const std::string &json, const Situation &situation)
{
  std::vector<TunedChoice> list;
  for (const auto &family : read_table (json))
    for (const auto &entry : family.entries)
      if (entry.fits (situation))
        list.push_back (entry.choice);
  return list;
}

void check_tuning (const std::string &json)
{
  read_table (json);
}

} // namespace sino::back_project
