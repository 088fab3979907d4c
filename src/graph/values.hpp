// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts between the user's text and GValues.
#pragma once
#include "base/pointers.hpp"
#include "base/visibility.hpp"
#include <json-glib/json-glib.h>
#include <string>
#include <vector>

namespace sino {

class Value
{
public:
  explicit Value (GType type) { g_value_init (&value, type); }
  Value (Value &&other) noexcept : value (other.value) { other.value = G_VALUE_INIT; }
  ~Value () { g_value_unset (&value); }
  GValue *get () { return &value; }
  const GValue *get () const { return &value; }

private:
  GValue value = G_VALUE_INIT;
};

// A value as the user wrote it: a word of a launch line, which may have any type, or a typed value of JSON.
struct Literal {
  enum class Kind { word, json_string, json_number, json_boolean, other };

  Kind kind;
  std::string word; // text of the value; for `other`: name of its kind, such as "an array"

  std::string describe () const;
};

Literal literal (JsonNode *node);
// The value as JSON would have it. Throws Error if it is no number, boolean or string.
Literal literal (const GValue *value);

// Fills `value`, which has the type of `spec`. Returns false if the literal has another type or is out of range.
bool convert (const Literal &literal, GParamSpec *spec, GValue *value);

std::string to_text (const GValue *value);
// Whether the value is a string in JSON.
bool is_text (const Value &value);

// "number", "integer", "boolean", "choice" or "string".
SINO_VISIBLE std::string type_text (GParamSpec *spec);
// "0 to 1", "at least 1", "hann, hamming, none"; empty when anything goes.
SINO_VISIBLE std::string range_text (GParamSpec *spec);
// The words of a choice; empty for other types.
SINO_VISIBLE std::vector<std::string> choices (GParamSpec *spec);
// A floating GVariant: a number, a boolean or a text (the word of a choice); null for other types.
SINO_VISIBLE GVariant *to_variant (const GValue *value);
// The least and the largest value of a number, as floating GVariants; null if there is no limit.
struct Limits {
  GVariant *least = nullptr, *most = nullptr;
};
SINO_VISIBLE Limits limits (GParamSpec *spec);
// "a number from 0 to 1", "one of hann, none"
std::string wanted (GParamSpec *spec);

// A JSON string. For text that is not UTF-8, as file names may be, quote_json () throws, and show_json () writes the
// bytes as "\\xff" for people to read.
SINO_VISIBLE std::string quote_json (const std::string &word);
SINO_VISIBLE std::string show_json (const std::string &word);
using Quote = std::string (*) (const std::string &);

} // namespace sino
