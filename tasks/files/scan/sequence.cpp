// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/sequence.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "tasks/files/stack-over.hpp"
#include <algorithm>
#include <cstring>
#include <optional>

namespace sino::files {

namespace {

// A name split at one of its numbers.
struct Numbered {
  std::string_view before, digits, after;
};

bool is_digit (char c)
{
  return g_ascii_isdigit (c);
}

// The number in which two names differ, with its value in the first one.
std::optional<Numbered> differing (std::string_view a, std::string_view b)
{
  auto begin = static_cast<size_t> (std::mismatch (a.begin (), a.end (), b.begin (), b.end ()).first - a.begin ());
  while (begin > 0 && is_digit (a[begin - 1]))
    begin--;
  auto end = begin;
  while (end < a.size () && is_digit (a[end]))
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
  if (digits.size () > 18 || !std::all_of (digits.begin (), digits.end (), is_digit) ||
      !parse_integer (std::string (digits), number))
    return {};
  return number;
}

class FilledStack final : public StackOver
{
public:
  FilledStack (std::shared_ptr<const Stack> s, const Gaps &gaps) : StackOver (std::move (s)), missing (gaps.places)
  {
    pages += std::ssize (missing);
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const auto page_bytes = part.lines.size () * part.columns.size () * pixel (*this);
    std::vector<int64_t> there; // runs of pages without a gap
    const auto flush = [&] (size_t end) {
      if (!there.empty ())
        stack->read ({there, part.lines, part.columns}, out + (end - there.size ()) * page_bytes, reading);
      there.clear ();
    };
    for (size_t i = 0; i < part.pages.size (); i++) {
      const auto place = std::lower_bound (missing.begin (), missing.end (), part.pages[i]);
      if (place != missing.end () && *place == part.pages[i]) {
        flush (i);
        std::memset (out + i * page_bytes, 0, page_bytes);
      } else
        there.push_back (part.pages[i] - (place - missing.begin ()));
    }
    flush (part.pages.size ());
  }

  size_t scratch (int threads) const override
  {
    return stack->scratch (threads) + static_cast<size_t> (pages) * sizeof (int64_t);
  }
  size_t resident () const override { return stack->resident () + missing.size () * sizeof (int64_t); }

private:
  std::vector<int64_t> missing;
};

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

  if ((numbers.back () - numbers[0]) / step >= largest_extent)
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

std::shared_ptr<const Stack> fill_gaps (std::shared_ptr<const Stack> stack, const Gaps &gaps)
{
  const auto pages = stack->pages + std::ssize (gaps.places);
  check_extents (in_quotes (stack->name), stack->element, pages, stack->lines, stack->columns);
  return std::make_shared<FilledStack> (std::move (stack), gaps);
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
    page -= std::lower_bound (gaps.places.begin (), gaps.places.end (), page) - gaps.places.begin ();
  return pages;
}

} // namespace sino::files
