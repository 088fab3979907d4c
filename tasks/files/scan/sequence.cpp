// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/sequence.hpp"
#include "base/files/input-file.hpp"
#include "base/text.hpp"
#include "formats/stack.hpp"
#include <algorithm>
#include <optional>

namespace sino::files {

namespace {

// A name split at one of its numbers.
struct Numbered {
  std::string_view before, digits, after;
};

// The number in which two names differ, with its value in the first one.
std::optional<Numbered> differing (std::string_view a, std::string_view b)
{
  auto begin = static_cast<size_t> (std::mismatch (a.begin (), a.end (), b.begin (), b.end ()).first - a.begin ());
  while (begin > 0 && g_ascii_isdigit (a[begin - 1]))
    begin--;
  auto end = begin;
  while (end < a.size () && g_ascii_isdigit (a[end]))
    end++;
  if (end == begin || end - begin > 18)
    return {};
  return Numbered{a.substr (0, begin), a.substr (begin, end - begin), a.substr (end)};
}

// The number in a name that otherwise equals `like`.
std::optional<int64_t> number_of (std::string_view name, const Numbered &like)
{
  if (name.size () <= like.before.size () + like.after.size () || !name.starts_with (like.before) ||
      !name.ends_with (like.after))
    return {};
  const auto digits = name.substr (like.before.size (), name.size () - like.before.size () - like.after.size ());
  int64_t number = 0;
  if (digits.size () > 18 || digits.find_first_not_of ("0123456789") != digits.npos || !parse_integer (digits, number))
    return {};
  return number;
}

} // namespace

Gaps find_gaps (const std::vector<std::string> &paths)
{
  if (paths.size () < 3)
    return {};
  const auto like = differing (paths[0], paths[1]);
  if (!like)
    return {};
  std::vector<int64_t> numbers;
  for (const auto &path : paths) {
    const auto number = number_of (path, *like);
    if (!number || (!numbers.empty () && *number <= numbers.back ()))
      return {};
    numbers.push_back (*number);
  }
  auto step = numbers[1] - numbers[0];
  for (size_t i = 2; i < numbers.size (); i++)
    step = std::min (step, numbers[i] - numbers[i - 1]);
  for (const auto number : numbers)
    if ((number - numbers[0]) % step != 0)
      return {};

  if ((numbers.back () - numbers[0]) / step >= formats::largest_extent)
    return {};

  Gaps gaps;
  gaps.files = std::ssize (paths);
  for (size_t i = 1; i < numbers.size (); i++)
    for (auto number = numbers[i - 1] + step; number < numbers[i]; number += step) {
      if (gaps.places.empty ()) {
        auto digits = std::to_string (number);
        if (digits.size () < like->digits.size ())
          digits.insert (0, like->digits.size () - digits.size (), '0');
        gaps.first = std::string (like->before).append (digits).append (like->after);
      }
      gaps.places.push_back ((number - numbers[0]) / step);
    }
  return gaps;
}

std::vector<int64_t> leave_out (std::vector<int64_t> pages, const Gaps &gaps)
{
  std::erase_if (pages,
                 [&] (int64_t page) { return std::binary_search (gaps.places.begin (), gaps.places.end (), page); });
  return pages;
}

std::vector<int64_t> places_of (std::vector<int64_t> pages, const Gaps &gaps)
{
  for (auto &page : pages)
    page -= std::ranges::lower_bound (gaps.places, page) - gaps.places.begin ();
  return pages;
}

void drop_unfinished (std::vector<std::string> &paths)
{
  constexpr int64_t settled = G_USEC_PER_SEC;
  const auto now = g_get_real_time ();
  const auto is_new = [now] (const std::string &path) {
    FileStamp stamp;
    return !find_stamp (path, stamp) ||
           std::abs (now - stamp.seconds * G_USEC_PER_SEC - stamp.nanoseconds / 1000) < settled;
  };
  paths.erase (std::ranges::find_if (paths, is_new), paths.end ());
}

} // namespace sino::files
