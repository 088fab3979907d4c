// SPDX-License-Identifier: LGPL-3.0-or-later
// Results of a benchmark: an aligned table for people, a JSON object for programs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::bench {

class Report
{
public:
  // Entries for JSON. `literal`: already JSON text.
  void number (const char *key, double value);
  void integer (const char *key, int64_t value);
  void word (const char *key, const std::string &value);
  void literal (const char *key, const std::string &literal) { members.emplace_back (key, literal); }

  // Adds a number to JSON and its row to the table: name, value in the unit, explanation.
  void figure (const char *key, double value, const char *name, const std::string &unit, const std::string &about = {});
  void duration (const char *key, double seconds, const char *name, const std::string &about);

  // Output for people: lines above the table, its rows, a line below.
  void headline (const std::string &line) { headlines.push_back (line); }
  void row (std::vector<std::string> cells) { rows.push_back (std::move (cells)); }
  void remark (const std::string &line) { remarks.push_back (line); }

  std::string text () const;
  std::string json () const;

private:
  std::vector<std::pair<std::string, std::string>> members;
  std::vector<std::string> headlines, remarks;
  std::vector<std::vector<std::string>> rows;
};

// A number in JSON; null if it is not finite.
std::string json_number (double value);
// "0.0123", "1.23", "123": three digits.
std::string digits (double value);
// "1.23 s", "12.3 ms"
std::string seconds_text (double seconds);

} // namespace sino::bench
