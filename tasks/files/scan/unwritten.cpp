// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/unwritten.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino::files {

using namespace formats;

namespace {

constexpr const char *taken = "; the fill values of the file are used";

// "3, 7 to 12 and 4 more"
std::string runs_text (const std::vector<int64_t> &numbers)
{
  constexpr size_t most = 5;
  std::vector<std::string> runs;
  size_t named = 0;
  for (size_t i = 0; i < numbers.size () && runs.size () < most; i = named) {
    const auto end = end_of_run (numbers, i);
    const auto first = text ("%" G_GINT64_FORMAT, numbers[i]);
    runs.push_back (end - i > 1 ? first + text (" to %" G_GINT64_FORMAT, numbers[end - 1]) : first);
    named = end;
  }
  const auto more = numbers.size () - named;
  return join (runs, ", ") + (more > 0 ? text (" and %zu more", more) : std::string ());
}

// Removes the values at indices that are not marked.
template <class Value> void keep (std::vector<Value> &values, const std::vector<bool> &kept)
{
  size_t n = 0;
  for (size_t i = 0; i < values.size (); i++)
    if (kept[i])
      values[n++] = values[i];
  values.resize (n);
}

// For each page: whether it was written completely.
std::vector<bool> written (const Stack &stack, const std::vector<int64_t> &pages)
{
  const auto unwritten = stack.unwritten ();
  std::vector<bool> marks;
  for (const auto page : pages)
    marks.push_back (!std::ranges::binary_search (unwritten, page));
  return marks;
}

// The numbers that are not marked.
std::vector<int64_t> others (std::vector<int64_t> numbers, std::vector<bool> marked)
{
  marked.flip ();
  keep (numbers, marked);
  return numbers;
}

} // namespace

static std::string told (size_t lacking, size_t all, const char *what, const std::string &title,
                         const std::vector<int64_t> &numbers)
{
  return text ("%zu of the %zu %s of %s were never written, or only in part: %s", lacking, all, what, title.c_str (),
               runs_text (numbers).c_str ());
}

void refuse_unwritten (const Stack &stack, Missing missing, const char *what, const std::string &title,
                       const std::vector<int64_t> &pages, std::vector<std::string> &messages)
{
  const auto lacking = others (pages, written (stack, pages));
  if (lacking.empty ())
    return;
  const auto said = told (lacking.size (), pages.size (), what, title, lacking);
  if (missing != Missing::zero)
    fail (SINO_ERROR_BAD_FILE, "%s: set missing=zero to use the fill values of the file, or rows= to other rows",
          said.c_str ());
  messages.push_back (said + taken);
}

bool mend_unwritten (const Stack &stack, Missing missing, const std::string &title, std::vector<int64_t> &numbers,
                     std::vector<int64_t> &pages, std::vector<std::string> &messages)
{
  const auto kept = written (stack, pages);
  const auto lacking = others (numbers, kept);
  if (lacking.empty ())
    return false;
  const auto said = told (lacking.size (), pages.size (), "projections", title, lacking);
  if (missing == Missing::skip && lacking.size () < pages.size ()) {
    messages.push_back (said + "; they are left out, with their angles");
    keep (numbers, kept);
    keep (pages, kept);
    return true;
  }
  if (missing != Missing::zero)
    fail (SINO_ERROR_BAD_FILE, "%s: set %smissing=zero to use the fill values of the file", said.c_str (),
          lacking.size () < pages.size () ? "missing=skip to continue without them and their angles, or " : "");
  messages.push_back (said + taken);
  return false;
}

void leave_out_unwritten (const Stack &stack, const char *what, std::vector<int64_t> &pages,
                          std::vector<double> &positions, std::vector<std::string> &messages)
{
  const auto kept = written (stack, pages);
  const auto all = pages.size ();
  keep (pages, kept);
  if (!positions.empty ())
    keep (positions, kept);
  if (pages.size () < all)
    messages.push_back (
        text ("%zu of the %zu %s were never written, and are left out", all - pages.size (), all, what));
}

} // namespace sino::files
