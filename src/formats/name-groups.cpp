// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/name-groups.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sino::formats {

namespace {

std::string_view digits (std::string_view text)
{
  return text.substr (0, std::min (text.find_first_not_of ("0123456789"), text.size ()));
}

std::string_view without_zeros (std::string_view digits)
{
  return digits.substr (std::min (digits.find_first_not_of ('0'), digits.size ()));
}

// --- splitting a name into texts and numbers ---

struct Cut {
  std::string name;
  std::vector<std::string_view> texts, numbers; // a text before each number, and one after the last
};

// "scan (1).tif": digits in a suffix are text, unless the name has no others ("scan.0001").
void cut_up (Cut &cut)
{
  const std::string_view name = cut.name;
  auto end = std::min (name.rfind ('.'), name.size ());
  if (end < name.size () && digits (name.substr (end + 1)).size () + end + 1 == name.size ())
    end = name.size ();
  size_t text = 0;
  for (size_t i = 0; i < end;) {
    const auto number = digits (name.substr (i, end - i));
    if (number.empty ()) {
      i++;
      continue;
    }
    cut.texts.push_back (name.substr (text, i - text));
    cut.numbers.push_back (number);
    i = text = i + number.size ();
  }
  cut.texts.push_back (name.substr (text));
}

std::string with_small_suffix (std::string_view name)
{
  std::string out (name);
  for (auto i = std::min (out.rfind ('.'), out.size ()); i < out.size (); i++)
    out[i] = g_ascii_tolower (out[i]);
  return out;
}

// The texts without the numbers.
std::string skeleton (const Cut &cut)
{
  std::string out;
  for (const auto &text : cut.texts)
    out += (&text == &cut.texts.back () ? with_small_suffix (text) : std::string (text)) + '\0';
  return out;
}

using Cuts = std::vector<const Cut *>;

size_t distinct (const Cuts &cuts, size_t number)
{
  std::set<std::string_view> values;
  for (const auto *cut : cuts)
    values.insert (cut->numbers[number]);
  return values.size ();
}

// --- decimal numbers ---

double decimal (const Cut &cut, size_t number)
{
  return g_ascii_strtod ((std::string (cut.numbers[number]) + '.' + std::string (cut.numbers[number + 1])).c_str (),
                         nullptr);
}

// Whether two numbers with a point between them form a decimal number with even steps, as angles do.
bool is_decimal (const Cuts &cuts, size_t number)
{
  if (cuts.front ()->texts[number + 1] != ".")
    return false;
  size_t places = 99;
  std::vector<double> values;
  for (const auto *cut : cuts) {
    places = std::min (places, cut->numbers[number + 1].size ());
    values.push_back (decimal (*cut, number));
  }
  std::ranges::sort (values);
  double step = values.back () - values.front ();
  for (size_t i = 1; i < values.size (); i++)
    step = std::min (step, values[i] - values[i - 1]);
  const double rounding = 1.01 * std::pow (10.0, -static_cast<double> (places));
  // Files may be missing, but not most of them.
  if (!(step > 0) || values.back () - values.front () > 2 * step * static_cast<double> (values.size ()))
    return false;
  for (size_t i = 1; i < values.size (); i++) {
    const double steps = std::round ((values[i] - values[i - 1]) / step);
    if (std::abs (values[i] - values[i - 1] - steps * step) > (steps + 1) * rounding)
      return false;
  }
  return true;
}

// Whether a number counts the names in even steps.
bool is_counter (const Cuts &cuts, size_t number)
{
  std::vector<double> values;
  for (const auto *cut : cuts)
    values.push_back (g_ascii_strtod (std::string (cut->numbers[number]).c_str (), nullptr));
  std::ranges::sort (values);
  for (size_t i = 1; i < values.size (); i++)
    if (values[i] <= values[i - 1] || values[i] - values[i - 1] != values[1] - values[0])
      return false;
  return true;
}

// --- groups ---

std::string pattern_of (const Cuts &cuts, const std::vector<size_t> &differing)
{
  const auto &first = *cuts.front ();
  if (cuts.size () == 1)
    return escaped_pattern (first.name);
  std::string pattern;
  for (size_t i = 0; i < first.numbers.size (); i++) {
    pattern += escaped_pattern (first.texts[i]);
    if (std::ranges::find (differing, i) == differing.end ()) {
      pattern += first.numbers[i];
      continue;
    }
    const auto width = first.numbers[i].size ();
    const bool padded = std::ranges::all_of (cuts, [&] (const Cut *cut) { return cut->numbers[i].size () == width; });
    pattern += padded && width > 1 ? text ("%%0%zui", width) : "%i";
  }
  return pattern + escaped_pattern (first.texts.back ());
}

// The reason why the sorted order of names may differ from that of a number that counts them; or "".
std::string doubt_of (const Cuts &cuts, const std::vector<size_t> &differing, const std::vector<size_t> &all_different)
{
  for (const auto number : all_different) {
    if (!is_counter (cuts, number))
      continue;
    for (size_t i = 1; i < cuts.size (); i++) {
      const auto before = without_zeros (cuts[i - 1]->numbers[number]),
                 after = without_zeros (cuts[i]->numbers[number]);
      if (before.size () != after.size () ? before.size () > after.size () : before > after)
        return text ("its numbers give different orders: '%s' comes before '%s' in the first number that differs, but "
                     "after it in another",
                     cuts[i - 1]->name.c_str (), cuts[i]->name.c_str ());
    }
  }
  for (const auto number : differing) {
    if (number == 0 || cuts.front ()->texts[number] != "." || is_counter (cuts, number))
      continue;
    if (std::ranges::any_of (all_different, [&] (size_t other) { return other < number; }))
      break; // an earlier number determines the order
    const auto longer = std::ranges::find_if (
        cuts, [&] (const Cut *cut) { return cut->numbers[number].size () != cuts.front ()->numbers[number].size (); });
    if (longer != cuts.end ())
      return text (
          "its decimal numbers have different lengths, such as '%s' and '%s': they are sorted as whole numbers",
          cuts.front ()->name.c_str (), (*longer)->name.c_str ());
  }
  return {};
}

void add_groups (Cuts cuts, std::vector<NameGroup> &groups)
{
  std::ranges::sort (cuts, natural_less, [] (const Cut *cut) -> std::string_view { return cut->name; });
  std::vector<size_t> differing, all_different;
  bool decimals = false; // the names differ by a decimal number
  for (size_t i = 0; i < cuts.front ()->numbers.size (); i++) {
    const auto values = distinct (cuts, i);
    if (values > 1)
      differing.push_back (i);
    if (values > 1 && values == cuts.size ())
      all_different.push_back (i);
    decimals |= i > 0 && values > 1 && distinct (cuts, i - 1) > 1 && is_decimal (cuts, i - 1);
  }
  if (differing.size () > 1 && all_different.empty () && !decimals) {
    const auto least = std::ranges::min (differing, {}, [&] (size_t number) { return distinct (cuts, number); });
    std::map<std::string, Cuts> parts;
    for (const auto *cut : cuts)
      parts[std::string (cut->numbers[least])].push_back (cut);
    for (auto &[value, part] : parts)
      add_groups (std::move (part), groups);
    return;
  }
  NameGroup group{{}, pattern_of (cuts, differing), doubt_of (cuts, differing, all_different)};
  for (const auto *cut : cuts)
    group.names.push_back (cut->name);
  groups.push_back (std::move (group));
}

} // namespace

bool natural_less (std::string_view a, std::string_view b)
{
  const auto whole_a = a, whole_b = b;
  while (!a.empty () && !b.empty ()) {
    const auto left = digits (a), right = digits (b);
    if (left.empty () || right.empty ()) {
      if (a[0] != b[0])
        return a[0] < b[0];
      a.remove_prefix (1);
      b.remove_prefix (1);
      continue;
    }
    const auto l = without_zeros (left), r = without_zeros (right);
    if (l != r)
      return l.size () != r.size () ? l.size () < r.size () : l < r;
    a.remove_prefix (left.size ());
    b.remove_prefix (right.size ());
  }
  return a.empty () != b.empty () ? a.empty () : whole_a < whole_b;
}

std::vector<NameGroup> group_names (const std::vector<std::string> &names)
{
  std::vector<Cut> cuts (names.size ());
  std::map<std::string, Cuts> alike;
  for (size_t i = 0; i < names.size (); i++) {
    cuts[i].name = names[i];
    cut_up (cuts[i]);
    alike[skeleton (cuts[i])].push_back (&cuts[i]);
  }
  std::vector<NameGroup> groups;
  for (auto &[key, some] : alike)
    add_groups (std::move (some), groups);
  std::ranges::sort (groups, [] (const NameGroup &a, const NameGroup &b) {
    return natural_less (a.names.front (), b.names.front ());
  });
  return groups;
}

// --- patterns ---

namespace {

// The length of a mark at the begin of a pattern, "%04i" or "%%"; 0 if there is none.
size_t mark (std::string_view pattern, bool &number)
{
  if (pattern.empty () || pattern[0] != '%')
    return 0;
  if (pattern.starts_with ("%%")) {
    number = false;
    return 2;
  }
  const auto width = digits (pattern.substr (1)).size ();
  number = true;
  return width <= 3 && width + 1 < pattern.size () && (pattern[width + 1] == 'i' || pattern[width + 1] == 'd')
             ? width + 2
             : 0;
}

bool matches (std::string_view pattern, std::string_view name)
{
  bool number = false;
  while (!pattern.empty ()) {
    const auto length = mark (pattern, number);
    if (length > 0 && number) {
      const auto rest = pattern.substr (length);
      for (auto n = digits (name).size (); n > 0; n--)
        if (matches (rest, name.substr (n)))
          return true;
      return false;
    }
    if (name.empty () || name[0] != pattern[0])
      return false;
    pattern.remove_prefix (std::max<size_t> (length, 1));
    name.remove_prefix (1);
  }
  return name.empty ();
}

} // namespace

bool matches_pattern (std::string_view pattern, std::string_view name)
{
  return matches (with_small_suffix (pattern), with_small_suffix (name));
}

bool is_number_pattern (std::string_view pattern)
{
  bool some = false;
  while (!pattern.empty ()) {
    bool number = false;
    const auto length = mark (pattern, number);
    if (length == 0 && pattern[0] == '%')
      return false;
    some |= length > 0 && number;
    pattern.remove_prefix (std::max<size_t> (length, 1));
  }
  return some;
}

std::string escaped_pattern (std::string_view path)
{
  std::string out;
  for (const char c : path)
    out.append (c == '%' ? 2 : 1, c);
  return out;
}

std::string unescaped_pattern (std::string_view path)
{
  std::string out;
  for (size_t i = 0; i < path.size (); i++) {
    out += path[i];
    if (path.substr (i).starts_with ("%%"))
      i++;
  }
  return out;
}

} // namespace sino::formats
