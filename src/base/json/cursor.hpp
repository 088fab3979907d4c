// SPDX-License-Identifier: LGPL-3.0-or-later
// Walks through parsed JSON. Errors name the place: "$.nodes[2].name: must be a string".
#pragma once
#include "base/error.hpp"
#include "base/pointers.hpp"
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Types of json-glib, without its header: modules need not have it.
using JsonNode = struct _JsonNode;
using JsonParser = struct _JsonParser;

namespace sino {

// A value and its place. The document must outlive it.
struct SINO_VISIBLE JsonCursor {
  JsonNode *node;
  std::string path;

  [[noreturn]] void refuse (const std::string &why, SinoError code = SINO_ERROR_BAD_GRAPH) const;

  // Members of an object, in their order.
  std::vector<std::pair<std::string, JsonCursor>> members () const;
  // Members of an object that has all the keys `needed`, and no others than `known`.
  std::map<std::string, JsonCursor> object (const std::vector<std::string> &known,
                                            const std::vector<std::string> &needed) const;
  bool is_array () const;
  bool is_null () const;
  bool is_true () const;
  std::vector<JsonCursor> elements () const;
  std::string string () const; // throws if it is empty
  int64_t integer (int64_t most) const;
  double number () const;
};

class SINO_VISIBLE JsonDocument
{
public:
  // Parses text that scan_json () has accepted.
  explicit JsonDocument (std::string_view json);

  JsonCursor root (std::string path = "$") const;

private:
  ObjectPtr<JsonParser> parser;
};

} // namespace sino
