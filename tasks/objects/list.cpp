// SPDX-License-Identifier: LGPL-3.0-or-later
#include "objects/list.hpp"
#include "base/error.hpp"
#include "base/json-scanner.hpp"
#include "base/pointers.hpp"
#include <cmath>
#include <json-glib/json-glib.h>

namespace sino {

namespace {

// Where in the file, for messages: "object 'a.json', ellipsoid 2, value".
struct Place {
  const std::string &path;
  size_t number = 0;
  const char *member = nullptr;

  [[noreturn]] void wants (const char *what) const
  {
    auto where = text ("object '%s'", path.c_str ());
    if (number)
      where += text (", ellipsoid %zu", number);
    if (member)
      where += text (", %s", member);
    fail (SINO_ERROR_BAD_FILE, "%s: %s", where.c_str (), what);
  }
};

double number (JsonNode *node, const Place &place)
{
  if (!JSON_NODE_HOLDS_VALUE (node) ||
      (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    place.wants ("a number is wanted");
  const double value = json_node_get_double (node);
  if (!std::isfinite (value))
    place.wants ("the number is too large");
  return value;
}

std::vector<double> vector (JsonNode *node, const Place &place)
{
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : nullptr;
  const guint n = array ? json_array_get_length (array) : 0;
  if (n != 2 && n != 3)
    place.wants ("a list of 2 or 3 numbers is wanted");
  std::vector<double> values;
  for (guint i = 0; i < n; i++)
    values.push_back (number (json_array_get_element (array, i), place));
  return values;
}

void set_member (Ellipsoid &e, std::string_view name, JsonNode *node, Place place)
{
  if (name == "value") {
    e.value = number (node, place);
  } else if (name == "centre") {
    const auto v = vector (node, place);
    std::copy (v.begin (), v.end (), e.centre.begin ());
  } else if (name == "half-axes") {
    const auto v = vector (node, place);
    std::copy (v.begin (), v.end (), e.half_axes.begin ());
    for (const double a : v)
      if (a < 1e-6 || a > 1e6)
        place.wants ("half axes from 1e-6 to 1e6 are wanted");
  } else if (name == "rotation") {
    if (JSON_NODE_HOLDS_VALUE (node)) {
      e.turns[0] = number (node, place);
    } else {
      const auto v = vector (node, place);
      if (v.size () != 3)
        place.wants ("one angle about z or a list of 3 Euler angles is wanted");
      std::copy (v.begin (), v.end (), e.turns.begin ());
    }
  } else {
    place.wants ("unknown; an ellipsoid has 'centre', 'half-axes', 'rotation' and 'value'");
  }
}

Ellipsoid ellipsoid (JsonNode *node, Place place)
{
  if (!JSON_NODE_HOLDS_OBJECT (node))
    place.wants ("an object {\"half-axes\": ..., \"value\": ...} is wanted");
  JsonObject *object = json_node_get_object (node);
  for (const char *name : {"half-axes", "value"})
    if (!json_object_has_member (object, name))
      place.wants (text ("'%s' is missing", name).c_str ());
  Ellipsoid e;
  JsonObjectIter iterator;
  json_object_iter_init (&iterator, object);
  const char *name = nullptr;
  for (JsonNode *member = nullptr; json_object_iter_next (&iterator, &name, &member);) {
    place.member = name;
    set_member (e, name, member, place);
  }
  place.member = "rotation";
  if (e.half_axes[2] == Ellipsoid::endless && (e.turns[1] != 0 || e.turns[2] != 0))
    place.wants ("an ellipse with 2 half axes turns about z only: one angle is wanted");
  return e;
}

} // namespace

// More than that no program draws in a lifetime.
constexpr size_t most_ellipsoids = 65536;

Object read_object (const std::string &path)
{
  Place place{path};
  const auto json = read_json ("object", path);
  const ObjectPtr<JsonParser> parser{json_parser_new_immutable ()};
  Object object;
  bool ours = false; // what was thrown says where already
  const auto add = [&] (std::string_view element) {
    ours = true;
    place.number = object.size () + 1;
    if (object.size () == most_ellipsoids)
      Place{path}.wants (text ("more than %zu ellipsoids", most_ellipsoids).c_str ());
    GError *error = nullptr;
    if (!json_parser_load_from_data (parser.get (), element.data (), std::ssize (element), &error)) {
      const ErrorPtr owned{error};
      place.wants (owned->message);
    }
    object.push_back (ellipsoid (json_parser_get_root (parser.get ()), place));
    ours = false;
  };
  try {
    scan_json_list (json, add);
  } catch (const Error &e) {
    if (ours)
      throw;
    Place{path}.wants (e.what ());
  }
  if (object.empty ())
    Place{path}.wants ("a list of ellipsoids [{\"half-axes\": ..., \"value\": ...}, ...] is wanted");
  return object;
}

} // namespace sino
