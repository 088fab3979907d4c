// SPDX-License-Identifier: LGPL-3.0-or-later
// A request of the page, and an answer to it.
#pragma once
#include "base/error.hpp"
#include "base/variant.hpp"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sino::monitor {

struct Request {
  std::string method, path;
  std::map<std::string, std::string> query;
  std::string body; // JSON

  bool has (const std::string &name) const { return query.contains (name); }
  // Values of the query; throw Refused if one is missing or wrong. A fallback makes a value optional.
  std::string word (const std::string &name) const;
  std::string word (const std::string &name, const std::string &fallback) const;
  int64_t integer (const std::string &name, int64_t least, int64_t most) const;
  int64_t integer (const std::string &name, int64_t least, int64_t most, int64_t fallback) const;
  // Numbers with commas between them, exactly n.
  std::vector<double> numbers (const std::string &name, size_t n) const;
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::shared_ptr<const void> owner; // of the bytes
  const void *bytes = nullptr;
  size_t size = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};

  // An answer with a text, or with values.
  static Answer of_text (std::string words, std::string type, int status = 200);
  static Answer of_json (GVariant *value); // may be floating
  template <class T> static Answer of_values (std::vector<T> values)
  {
    const auto kept = std::make_shared<const std::vector<T>> (std::move (values));
    return {
        .type = "application/octet-stream", .owner = kept, .bytes = kept->data (), .size = kept->size () * sizeof (T)};
  }
  static Answer of_error (int status, const std::string &message);
};

// A request that gets an answer with this status and a message for people.
struct Refused : Error {
  int status;

  Refused (int s, const std::string &message) : Error (SINO_ERROR_BAD_PROPERTY, message), status (s) {}
};

} // namespace sino::monitor
