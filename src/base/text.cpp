// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/text.hpp"
#include "base/pointers.hpp"
#include "base/shown.hpp"
#include <charconv>
#include <clocale>
#include <cstdio>
#include <numeric>

namespace sino {

namespace {

// The arguments as an object, which functions can share.
struct Arguments : NoCopy {
  va_list list;

  explicit Arguments (va_list from) { va_copy (list, from); }
  ~Arguments () { va_end (list); }
};

template <class T> std::string print_one (const std::string &conversion, T value)
{
  char few[64];
  const auto length = static_cast<size_t> (snprintf (few, sizeof few, conversion.c_str (), value));
  if (length < sizeof few)
    return few;
  std::string many (length + 1, '\0');
  snprintf (many.data (), many.size (), conversion.c_str (), value);
  many.pop_back ();
  return many;
}

// Formats the next argument, whose type the conversion gives.
std::string print_next (const std::string &conversion, Arguments &arguments)
{
  const char kind = conversion.back (), size = conversion[conversion.size () - 2];
  if (kind == 's')
    return print_one (conversion, va_arg (arguments.list, const char *));
  if (kind == 'p')
    return print_one (conversion, va_arg (arguments.list, void *));
  if (std::string_view ("aAeEfFgG").find (kind) != std::string_view::npos)
    return print_one (conversion, va_arg (arguments.list, double));
  if (size == 'j' || conversion.find ("ll") != conversion.npos)
    return print_one (conversion, va_arg (arguments.list, long long));
  if (size == 'l' || size == 'z' || size == 't') // these have the same size wherever Linux runs
    return print_one (conversion, va_arg (arguments.list, long));
  return print_one (conversion, va_arg (arguments.list, int));
}

// vsprintf for messages. '%s' and =%s are words from outside; they are escaped for display (base/shown.hpp). Other %s
// are the program's own words. Does not support %n and long double.
std::string print_message (const char *format, va_list args)
{
  Arguments arguments (args);
  const std::string_view all = format;
  std::string out;
  for (size_t at = 0; at < all.size ();) {
    const auto begin = std::min (all.find ('%', at), all.size ());
    out += all.substr (at, begin - at);
    const auto end = all.find_first_of ("%csdiouxXpaAeEfFgG", begin + 1);
    if (end == all.npos)
      break;
    at = end + 1;
    if (all[end] == '%') {
      out += '%';
      continue;
    }
    std::string conversion;
    for (const char c : all.substr (begin, at - begin))
      if (c == '*')
        conversion += std::to_string (va_arg (arguments.list, int));
      else
        conversion += c;
    const auto word = print_next (conversion, arguments);
    const bool from_outside = all[end] == 's' && begin > 0 && (all[begin - 1] == '\'' || all[begin - 1] == '=');
    out += from_outside ? shown (word) : word;
  }
  return out;
}

} // namespace

std::string text_v (const char *format, va_list args)
{
  // Numbers have a decimal point, but a program that embeds the library may have a locale with a comma.
  static const locale_t plain = newlocale (LC_ALL_MASK, "C", nullptr);
  const AtEnd restore ([before = uselocale (plain)] { uselocale (before); });
  return print_message (format, args);
}

std::string text (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  std::string result = text_v (format, args);
  va_end (args);
  return result;
}

std::string bytes_text (double bytes)
{
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size (units)) {
    bytes /= 1024;
    unit++;
  }
  return text (unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

std::vector<std::string> split (std::string_view words, char separator)
{
  std::vector<std::string> list;
  for (size_t begin = 0; begin <= words.size ();) {
    const auto end = std::min (words.find (separator, begin), words.size ());
    list.emplace_back (words.substr (begin, end - begin));
    begin = end + 1;
  }
  return list;
}

std::string in_double_quotes (std::string_view word)
{
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + '"';
}

std::string escaped (const std::string &text)
{
  return CharPtr (g_strescape (text.c_str (), nullptr)).get ();
}

std::string unescaped (std::string_view text)
{
  return CharPtr (g_strcompress (std::string (text).c_str ())).get ();
}

// Number of characters to insert, remove, replace or swap with their neighbour to change one text into the other.
static size_t edit_distance (std::string_view a, std::string_view b)
{
  std::vector<size_t> before (b.size () + 1), above (b.size () + 1), row (b.size () + 1);
  std::iota (row.begin (), row.end (), size_t{0});
  for (size_t i = 1; i <= a.size (); i++) {
    std::swap (before, above);
    std::swap (above, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size (); j++) {
      row[j] = std::min ({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min (row[j], before[j - 2] + 1);
    }
  }
  return row.back ();
}

std::string lower_case (std::string word)
{
  std::transform (word.begin (), word.end (), word.begin (), g_ascii_tolower);
  return word;
}

std::string nearest (std::string_view word, std::span<const std::string> candidates)
{
  std::string best;
  size_t least = std::max<size_t> (2, word.size () / 3) + 1;
  for (const auto &candidate : candidates) {
    size_t distance = edit_distance (word, candidate);
    if (!word.empty () && (candidate.starts_with (word) || word.starts_with (candidate)))
      distance = std::min<size_t> (distance, 1);
    if (distance < least &&
        distance < std::max (word.size (), candidate.size ())) { // at least one character must be right
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean (std::string_view word, std::span<const std::string> candidates, const std::string &before,
                          const std::string &otherwise)
{
  const auto near = nearest (word, candidates);
  return near.empty () ? otherwise : before + "did you mean " + in_quotes (near) + '?';
}

template <class Number> static bool parse (std::string_view word, Number &value)
{
  if (word.starts_with ('+'))
    word.remove_prefix (1);
  const auto [end, code] = std::from_chars (word.data (), word.data () + word.size (), value);
  return code == std::errc () && end == word.data () + word.size () && !word.empty ();
}

bool parse_number (std::string_view word, double &value)
{
  return parse (word, value);
}

bool parse_integer (std::string_view word, int64_t &value)
{
  return parse (word, value);
}

std::vector<double> parse_numbers (std::string_view words, char separator)
{
  std::vector<double> numbers;
  for (const auto &word : split (words, separator))
    if (!parse_number (word, numbers.emplace_back ()))
      return {};
  return numbers;
}

bool parse_size (std::string_view word, double whole, double &bytes)
{
  size_t digits = 0;
  while (digits < word.size () && (g_ascii_isdigit (word[digits]) || word[digits] == '.'))
    digits++;
  if (!parse_number (word.substr (0, digits), bytes))
    return false;
  auto unit = lower_case (std::string (word.substr (digits)));
  if (unit == "%") {
    bytes *= whole / 100;
    return bytes <= whole;
  }
  if (unit.ends_with ("ib"))
    unit.resize (unit.size () - 2);
  else if (unit.ends_with ('b'))
    unit.resize (unit.size () - 1);
  static constexpr std::string_view powers = "kmgtp";
  if (unit.empty ())
    return true;
  const auto power = powers.find (unit[0]);
  if (unit.size () != 1 || power == powers.npos)
    return false;
  for (size_t i = 0; i <= power; i++)
    bytes *= 1024;
  return true;
}

std::string columns_text (const std::vector<std::vector<std::string>> &rows)
{
  std::vector<size_t> widths;
  for (const auto &cells : rows)
    for (size_t i = 0; i < cells.size (); i++) {
      widths.resize (std::max (widths.size (), i + 1));
      widths[i] = std::max (widths[i], cells[i].size ());
    }
  std::string out;
  for (const auto &cells : rows) {
    std::string line = " ";
    for (size_t i = 0; i < cells.size (); i++)
      line += " " + cells[i] + std::string (widths[i] + 1 - cells[i].size (), ' ');
    out += line.substr (0, line.find_last_not_of (' ') + 1) + "\n";
  }
  return out;
}

std::string shell_word (const std::string &word)
{
  const bool plain = !word.empty () && std::ranges::all_of (word, [] (char c) {
    return g_ascii_isalnum (c) || std::string_view ("/._-+:,%=@").find (c) != std::string_view::npos;
  });
  return plain ? word : CharPtr (g_shell_quote (word.c_str ())).get ();
}

} // namespace sino
