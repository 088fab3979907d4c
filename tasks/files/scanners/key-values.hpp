// SPDX-License-Identifier: LGPL-3.0-or-later
// Texts of sections and values, as scanners write them: "[Section]", "key = value"; or the same in XML, where an
// element is the section of those in it.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sino::files {

// Throws Error on what cannot be read; messages name the file and the key.
class KeyValues
{
public:
  enum class Form { lines, xml };
  explicit KeyValues (const std::string &path, Form form = Form::lines);

  const std::string path, title;

  bool has_section (const char *section) const;

  // Names of sections and keys are compared without case. The first of several equal keys counts. An empty value is
  // none. In XML the section "" stands for any.
  std::optional<std::string> find (const char *section, const char *key) const;
  std::string word (const char *section, const char *key) const; // throws if there is none

  // A number from `least` to `most`; a comma may be its decimal point.
  std::optional<double> find_number (const char *section, const char *key, double least, double most) const;
  double number (const char *section, const char *key, double least, double most) const;
  int64_t whole (const char *section, const char *key, int64_t least, int64_t most) const;

private:
  std::map<std::string, std::string> values; // "section\nkey"; a section itself is "section\n"

  void read_lines ();
  static std::string trimmed (std::string_view word);
  static std::string place_of (std::string_view section, std::string_view key);
  [[noreturn]] void fail_missing (const char *section, const char *key) const;
};

// Limits for distances and sizes in files, in mm: what doubles and users can mean.
constexpr double least_length = 1e-6, most_length = 1e9;

} // namespace sino::files
