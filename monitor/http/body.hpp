// SPDX-License-Identifier: LGPL-3.0-or-later
// The values in the body of a request, a JSON object.
#pragma once
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include "monitor/http/request.hpp"

namespace sino::monitor {

class Body
{
public:
  // Throws Refused.
  explicit Body (const Request &request);

  // A text that may be empty, a number, and members of an object that are texts or numbers, as texts; throw Refused if
  // one is missing or has another type.
  std::string text (const char *name) const;
  int64_t integer (const char *name, int64_t least, int64_t most) const;
  std::map<std::string, std::string> words (const char *name) const;

private:
  JsonDocument document;

  JsonNode *member (const char *name) const;
};

} // namespace sino::monitor
