// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scanners/key-values.hpp"
#include "base/error.hpp"
#include "base/files/text-file.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "tasks/files/scanners/xml-elements.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

std::string KeyValues::trimmed (std::string_view word)
{
  const auto begin = word.find_first_not_of (" \t\r\n\f\v"), end = word.find_last_not_of (" \t\r\n\f\v");
  return begin == word.npos ? std::string () : std::string (word.substr (begin, end - begin + 1));
}

std::string KeyValues::place_of (std::string_view section, std::string_view key)
{
  return lower_case (std::string (section)) + "\n" + lower_case (std::string (key));
}

KeyValues::KeyValues (const std::string &p, Form form) : path (p), title (in_quotes (p))
{
  if (form == Form::lines)
    read_lines ();
  else
    each_element (path, [&] (const std::string &parent, const std::string &name, const std::string &text) {
      values.try_emplace (place_of (name, ""));
      for (const auto &section : {parent, std::string ()})
        if (const auto value = trimmed (text); !value.empty ())
          values.try_emplace (place_of (section, name), value);
    });
}

void KeyValues::read_lines ()
{
  const auto text = from_windows (read_text ("", path, size_t{4} << 20));
  std::string section;
  each_word (text, "\n", [&] (std::string_view line) {
    const auto plain = trimmed (line);
    const auto equals = plain.find ('=');
    if (plain.starts_with ('[') && plain.ends_with (']')) {
      section = trimmed (std::string_view (plain).substr (1, plain.size () - 2));
      values.try_emplace (place_of (section, ""));
    } else if (equals != plain.npos && equals > 0)
      values.try_emplace (place_of (section, trimmed (plain.substr (0, equals))), trimmed (plain.substr (equals + 1)));
  });
}

bool KeyValues::has_section (const char *section) const
{
  return values.contains (place_of (section, ""));
}

std::optional<std::string> KeyValues::find (const char *section, const char *key) const
{
  const auto found = values.find (place_of (section, key));
  return found == values.end () || found->second.empty () ? std::nullopt : std::optional (found->second);
}

void KeyValues::fail_missing (const char *section, const char *key) const
{
  const auto where = *section ? text (" in [%s]", section) : std::string ();
  fail (SINO_ERROR_BAD_FILE, "%s has no '%s'%s", title.c_str (), key, where.c_str ());
}

std::string KeyValues::word (const char *section, const char *key) const
{
  const auto found = find (section, key);
  if (!found)
    fail_missing (section, key);
  return *found;
}

std::optional<double> KeyValues::find_number (const char *section, const char *key, double least, double most) const
{
  const auto found = find (section, key);
  if (!found)
    return {};
  auto digits = *found;
  if (std::ranges::count (digits, ',') == 1 && digits.find ('.') == digits.npos)
    std::ranges::replace (digits, ',', '.');
  double value = 0;
  if (!parse_number (digits, value) || !std::isfinite (value))
    fail (SINO_ERROR_BAD_FILE, "%s: '%s' is '%s', which is not a number", title.c_str (), key,
          shown (*found).substr (0, 60).c_str ());
  if (value < least || value > most)
    fail (SINO_ERROR_BAD_FILE, "%s: '%s' is %.10g, but it must be from %g to %g", title.c_str (), key, value, least,
          most);
  return value;
}

double KeyValues::number (const char *section, const char *key, double least, double most) const
{
  const auto found = find_number (section, key, least, most);
  if (!found)
    fail_missing (section, key);
  return *found;
}

int64_t KeyValues::whole (const char *section, const char *key, int64_t least, int64_t most) const
{
  const double value = number (section, key, static_cast<double> (least), static_cast<double> (most));
  if (value != std::round (value))
    fail (SINO_ERROR_BAD_FILE, "%s: '%s' is %.10g, but it must be a whole number", title.c_str (), key, value);
  return static_cast<int64_t> (value);
}

} // namespace sino::files
