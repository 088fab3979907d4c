// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/values.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include <charconv>
#include <cmath>
#include <limits>

namespace sino {

namespace {

// Calls `use` with the GParamSpec in its own type, for all number types that properties have.
template <class Use> auto with_number (GParamSpec *spec, Use use) -> decltype (use (G_PARAM_SPEC_INT (spec)))
{
  switch (G_TYPE_FUNDAMENTAL (spec->value_type)) {
  case G_TYPE_INT:
    return use (G_PARAM_SPEC_INT (spec));
  case G_TYPE_UINT:
    return use (G_PARAM_SPEC_UINT (spec));
  case G_TYPE_LONG:
    return use (G_PARAM_SPEC_LONG (spec));
  case G_TYPE_ULONG:
    return use (G_PARAM_SPEC_ULONG (spec));
  case G_TYPE_INT64:
    return use (G_PARAM_SPEC_INT64 (spec));
  case G_TYPE_UINT64:
    return use (G_PARAM_SPEC_UINT64 (spec));
  case G_TYPE_FLOAT:
    return use (G_PARAM_SPEC_FLOAT (spec));
  case G_TYPE_DOUBLE:
    return use (G_PARAM_SPEC_DOUBLE (spec));
  default:
    return {};
  }
}

template <class Spec> using Number = decltype (Spec::minimum);

// Calls `use` with the number that the value holds: a gint64, a guint64, a float or a double.
template <class Use> auto with_number (const GValue *value, Use use) -> decltype (use (0.0))
{
  const auto type = G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value));
  switch (type) {
  case G_TYPE_FLOAT:
    return use (g_value_get_float (value));
  case G_TYPE_DOUBLE:
    return use (g_value_get_double (value));
  case G_TYPE_ULONG:
    return use (guint64{g_value_get_ulong (value)});
  case G_TYPE_UINT64:
    return use (g_value_get_uint64 (value));
  case G_TYPE_INT:
  case G_TYPE_UINT:
  case G_TYPE_LONG:
  case G_TYPE_INT64: {
    Value whole (G_TYPE_INT64);
    g_value_transform (value, whole.get ());
    return use (g_value_get_int64 (whole.get ()));
  }
  default:
    return {};
  }
}

// Sets a value of any number type, in whose range the number is.
template <class T> void store (GValue *value, T number)
{
  constexpr bool real = std::is_floating_point_v<T>;
  Value any (real ? G_TYPE_DOUBLE : std::is_signed_v<T> ? G_TYPE_INT64 : G_TYPE_UINT64);
  if constexpr (real)
    g_value_set_double (any.get (), static_cast<double> (number));
  else if constexpr (std::is_signed_v<T>)
    g_value_set_int64 (any.get (), number);
  else
    g_value_set_uint64 (any.get (), number);
  g_value_transform (any.get (), value);
}

template <class T> bool parse (const std::string &word, T &number)
{
  const auto *begin = word.data (), *end = begin + word.size ();
  if (begin != end && *begin == '+')
    begin++;
  const auto [stop, code] = std::from_chars (begin, end, number);
  if (code == std::errc () && stop == end)
    return true;
  if constexpr (std::is_integral_v<T>) { // 1e3 and 4.0 are integers too
    double real = 0;
    if (!parse_number (word, real) || real != std::trunc (real) || std::abs (real) > 9007199254740992.0)
      return false;
    using Limits = std::numeric_limits<T>;
    if (real < static_cast<double> (Limits::lowest ()) || real > static_cast<double> (Limits::max ()))
      return false;
    number = static_cast<T> (real);
    return true;
  }
  return false;
}

template <class T> bool is_limit (T number)
{
  if constexpr (std::is_floating_point_v<T>)
    return std::abs (number) >= static_cast<T> (G_MAXFLOAT);
  return number == std::numeric_limits<T>::max () ||
         (std::is_signed_v<T> && number == std::numeric_limits<T>::lowest ());
}

// The shortest decimal that reads back as exactly this number.
template <class T> std::string shortest (T number)
{
  char digits[32];
  if constexpr (std::is_floating_point_v<T>)
    if (number == std::trunc (number) && std::abs (number) < static_cast<T> (1e15)) // 1000000 rather than 1e+06
      return {digits, std::to_chars (digits, digits + sizeof digits, number, std::chars_format::fixed).ptr};
  return {digits, std::to_chars (digits, digits + sizeof digits, number).ptr};
}

bool is_boolean (GParamSpec *spec)
{
  return spec->value_type == G_TYPE_BOOLEAN;
}

bool convert_boolean (const std::string &word, GValue *value)
{
  const bool on = word == "true" || word == "yes" || word == "1";
  g_value_set_boolean (value, on);
  return on || word == "false" || word == "no" || word == "0";
}

bool convert_choice (const std::string &word, GParamSpec *spec, GValue *value)
{
  const auto *known = g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (spec)->enum_class, word.c_str ());
  if (known)
    g_value_set_enum (value, known->value);
  return known;
}

} // namespace

bool convert (const Literal &literal, GParamSpec *spec, GValue *value)
{
  using enum Literal::Kind;
  const auto kind = literal.kind;
  if (kind == other)
    return false;
  if (G_IS_PARAM_SPEC_STRING (spec)) {
    g_value_set_string (value, literal.word.c_str ());
    return true;
  }
  if (is_boolean (spec))
    return (kind == word || kind == json_boolean) && convert_boolean (literal.word, value);
  if (G_IS_PARAM_SPEC_ENUM (spec))
    return (kind == word || kind == json_string) && convert_choice (literal.word, spec, value);
  return (kind == word || kind == json_number) && with_number (spec, [&] (auto *s) {
           Number<std::remove_pointer_t<decltype (s)>> number{};
           if (!parse (literal.word, number) || !(number >= s->minimum && number <= s->maximum)) // also rejects NaN
             return false;
           store (value, number);
           return true;
         });
}

std::string to_text (const GValue *value)
{
  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value))) {
  case G_TYPE_BOOLEAN:
    return g_value_get_boolean (value) ? "true" : "false";
  case G_TYPE_ENUM: {
    const std::unique_ptr<GEnumClass, Deleter<g_type_class_unref>> words (
        static_cast<GEnumClass *> (g_type_class_ref (G_VALUE_TYPE (value))));
    const auto *known = g_enum_get_value (words.get (), g_value_get_enum (value));
    return known ? known->value_nick : "";
  }
  case G_TYPE_STRING: {
    const auto *word = g_value_get_string (value);
    return word ? word : "";
  }
  default:
    return with_number (value, [] (auto number) { return shortest (number); });
  }
}

bool is_text (const Value &value)
{
  const auto type = G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value.get ()));
  return type == G_TYPE_STRING || type == G_TYPE_ENUM;
}

Literal literal (JsonNode *node)
{
  using enum Literal::Kind;
  if (JSON_NODE_HOLDS_ARRAY (node))
    return {other, "an array"};
  if (JSON_NODE_HOLDS_OBJECT (node))
    return {other, "an object"};
  if (JSON_NODE_HOLDS_NULL (node))
    return {other, "null"};
  switch (json_node_get_value_type (node)) {
  case G_TYPE_STRING:
    return {json_string, json_node_get_string (node)};
  case G_TYPE_BOOLEAN:
    return {json_boolean, json_node_get_boolean (node) ? "true" : "false"};
  case G_TYPE_INT64:
    return {json_number, shortest (json_node_get_int (node))};
  default:
    return {json_number, shortest (json_node_get_double (node))};
  }
}

Literal literal (const GValue *value)
{
  using enum Literal::Kind;
  const auto type = G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value));
  if (type == G_TYPE_STRING || type == G_TYPE_ENUM || type == G_TYPE_BOOLEAN)
    return {type == G_TYPE_BOOLEAN ? json_boolean : json_string, to_text (value)};
  const bool real = type == G_TYPE_FLOAT || type == G_TYPE_DOUBLE,
             large = type == G_TYPE_ULONG || type == G_TYPE_UINT64;
  Value number (real ? G_TYPE_DOUBLE : large ? G_TYPE_UINT64 : G_TYPE_INT64);
  if (!g_value_transform (value, number.get ()))
    fail (SINO_ERROR_BAD_PROPERTY, "a value of type %s is not a number, boolean or string", G_VALUE_TYPE_NAME (value));
  const bool beyond_json = large && g_value_get_uint64 (number.get ()) > G_MAXINT64;
  return {beyond_json ? word : json_number, to_text (number.get ())};
}

std::string Literal::describe () const
{
  switch (kind) {
  case Kind::word:
    return text ("'%s'", word.c_str ());
  case Kind::json_string:
    return quote_json (word);
  default:
    return word;
  }
}

std::vector<std::string> choices (GParamSpec *spec)
{
  std::vector<std::string> words;
  if (G_IS_PARAM_SPEC_ENUM (spec))
    for (const auto *v = G_PARAM_SPEC_ENUM (spec)->enum_class->values; v->value_nick; v++)
      words.push_back (v->value_nick);
  return words;
}

std::string type_text (GParamSpec *spec)
{
  switch (G_TYPE_FUNDAMENTAL (spec->value_type)) {
  case G_TYPE_STRING:
    return "string";
  case G_TYPE_BOOLEAN:
    return "boolean";
  case G_TYPE_ENUM:
    return "choice";
  case G_TYPE_FLOAT:
  case G_TYPE_DOUBLE:
    return "number";
  default:
    return with_number (spec, [] (auto *) { return true; }) ? "integer" : g_type_name (spec->value_type);
  }
}

std::string range_text (GParamSpec *spec)
{
  if (G_IS_PARAM_SPEC_ENUM (spec))
    return join (choices (spec));
  std::string range;
  with_number (spec, [&] (auto *s) {
    const bool least = !is_limit (s->minimum), most = !is_limit (s->maximum);
    const auto low = shortest (s->minimum), high = shortest (s->maximum);
    range = least && most ? low + " to " + high : least ? "at least " + low : most ? "at most " + high : "";
    return true;
  });
  return range;
}

template <class T> static GVariant *number_variant (T number)
{
  if constexpr (std::is_floating_point_v<T>)
    return g_variant_new_double (static_cast<double> (number));
  else if constexpr (std::is_unsigned_v<T>)
    return g_variant_new_uint64 (number);
  else
    return g_variant_new_int64 (number);
}

Limits limits (GParamSpec *spec)
{
  Limits found;
  with_number (spec, [&] (auto *s) {
    if (!is_limit (s->minimum))
      found.least = number_variant (s->minimum);
    if (!is_limit (s->maximum))
      found.most = number_variant (s->maximum);
    return true;
  });
  return found;
}

GVariant *to_variant (const GValue *value)
{
  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value))) {
  case G_TYPE_BOOLEAN:
    return g_variant_new_boolean (g_value_get_boolean (value));
  case G_TYPE_ENUM:
  case G_TYPE_STRING:
    return g_variant_new_take_string (g_utf8_make_valid (to_text (value).c_str (), -1));
  default:
    return with_number (value, [] (auto number) { return number_variant (number); });
  }
}

std::string wanted (GParamSpec *spec)
{
  const auto type = type_text (spec), range = range_text (spec);
  if (type == "choice")
    return "one of " + range;
  if (type == "boolean")
    return "true or false";
  if (type != "number" && type != "integer" && type != "string")
    return "a " + type + ", which text cannot give";
  const std::string noun = (type == "integer" ? "an " : "a ") + type;
  return range.empty () ? noun : noun + (range.starts_with ("at ") ? " of " : " from ") + range;
}

std::string quote_json (const std::string &word)
{
  if (!g_utf8_validate (word.data (), static_cast<gssize> (word.size ()), nullptr))
    fail (SINO_ERROR_BAD_PROPERTY, "'%s' is not UTF-8, which JSON needs", escaped (word).c_str ());
  std::string quoted = "\"";
  for (const char *at = word.data (), *end = at + word.size (); at < end; at = g_utf8_next_char (at)) {
    const auto c = g_utf8_get_char (at);
    if (c == '"' || c == '\\')
      quoted += {'\\', *at};
    else if (c == '\n' || c == '\t')
      quoted += c == '\n' ? "\\n" : "\\t";
    else if (const std::string_view letter (at, g_utf8_next_char (at)); shown (letter) == letter || c > 0xffff)
      quoted += letter;
    else // control characters could change the terminal
      quoted += text ("\\u%04x", c);
  }
  return quoted + '"';
}

std::string show_json (const std::string &word)
{
  std::string shown;
  const char *at = word.data (), *end = at + word.size ();
  while (at < end) {
    const char *bad = nullptr;
    g_utf8_validate_len (at, static_cast<gsize> (end - at), &bad);
    shown.append (at, bad);
    if (bad < end)
      shown += text ("\\x%02x", static_cast<unsigned> (static_cast<unsigned char> (*bad++)));
    at = bad;
  }
  return quote_json (shown);
}

} // namespace sino
