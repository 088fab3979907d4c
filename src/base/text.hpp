// SPDX-License-Identifier: LGPL-3.0-or-later
// Text helpers. (std::format is missing in GCC 12, and printf formats are checked by the compiler.)
#pragma once
#include "base/visibility.hpp"
#include <algorithm>
#include <cstdarg>
#include <functional>
#include <glib.h>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sino {

SINO_VISIBLE std::string text (const char *format, ...) G_GNUC_PRINTF (1, 2);
SINO_VISIBLE std::string text_v (const char *format, va_list args) G_GNUC_PRINTF (1, 0);

// "1.5 GiB", "512 MiB", "300 B".
SINO_VISIBLE std::string bytes_text (double bytes);

// Joins the elements of a list, or the result of `text_of` for each, with `between` between them; uses `last` before
// the last one, if given: "a, b and c".
template <class List, class TextOf = std::identity>
std::string join (const List &list, std::string_view between = ", ", TextOf text_of = {}, std::string_view last = {})
{
  std::string joined;
  for (auto at = std::begin (list); at != std::end (list); ++at) {
    if (at != std::begin (list))
      joined.append (last.empty () || std::next (at) != std::end (list) ? between : last);
    joined.append (std::invoke (text_of, *at));
  }
  return joined;
}

// The words between separators; a word may be empty: "a::b" has three words.
SINO_VISIBLE std::vector<std::string> split (std::string_view words, char separator);

// Calls `take` for each word that is not empty; several separators may follow each other.
template <class Take> void each_word (std::string_view text, std::string_view separators, Take take)
{
  for (size_t at = 0; (at = text.find_first_not_of (separators, at)) != text.npos;) {
    const auto end = std::min (text.find_first_of (separators, at), text.size ());
    take (text.substr (at, end - at));
    at = end;
  }
}

// "a \"word\"": with a backslash before each quote and backslash of the word.
SINO_VISIBLE std::string in_double_quotes (std::string_view word);

// A word quoted for a shell.
SINO_VISIBLE std::string shell_word (const std::string &word);

// Text in columns as wide as their widest cell.
SINO_VISIBLE std::string columns_text (const std::vector<std::vector<std::string>> &rows);

// Text on one line, with backslashes as in C, and back.
SINO_VISIBLE std::string escaped (const std::string &text);
SINO_VISIBLE std::string unescaped (std::string_view text);

// Changes ASCII letters only, in any locale.
SINO_VISIBLE std::string lower_case (std::string word);

// The candidate most similar to `word` by edit distance, or "" if none is similar enough.
SINO_VISIBLE std::string nearest (std::string_view word, std::span<const std::string> candidates);

// `before` and "did you mean 'NEAREST'?", or `otherwise` if none is similar enough.
SINO_VISIBLE std::string did_you_mean (std::string_view word, std::span<const std::string> candidates,
                                       const std::string &before, const std::string &otherwise = {});

// Strict number parsing: the whole text, C locale, no trailing garbage. False when it is not a number.
SINO_VISIBLE bool parse_number (std::string_view word, double &value);
SINO_VISIBLE bool parse_integer (std::string_view word, int64_t &value);

// "0:180:0.5": the numbers between the separators; none when a word is not a number.
SINO_VISIBLE std::vector<double> parse_numbers (std::string_view words, char separator);

// "512M", "2GiB", "1.5g", "80%" of `whole`, or plain bytes. False when it is not a size.
SINO_VISIBLE bool parse_size (std::string_view word, double whole, double &bytes);

} // namespace sino
