// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/name-words.hpp"
#include <algorithm>
#include <glib.h>
#include <iterator>

namespace sino::formats {

namespace {

constexpr std::string_view flat_words[] = {"flat",      "white", "bright", "open", "ff",  "ref",
                                           "reference", "beam",  "empty",  "ob",   "gain"};
constexpr std::string_view dark_words[] = {"dark", "drk", "df", "bias"};
constexpr std::string_view result_words[] = {"rec",   "recon",  "recons",    "reconstruction", "reconstructed",
                                             "slice", "slices", "result",    "results",        "preview",
                                             "thumb", "thumbs", "thumbnail", "thumbnails"};
constexpr std::string_view before_words[] = {"before", "pre", "begin", "beginning", "start", "initial", "first"};
constexpr std::string_view after_words[] = {"after", "post", "end", "final", "last"};
// Words without a meaning of their own, which may stand beside the words above.
constexpr std::string_view plain_words[] = {
    "s",          "es",          "field", "fields", "frame", "frames", "image",  "images", "img",
    "imgs",       "current",     "file",  "files",  "data",  "raw",    "tomo",   "scan",   "proj",
    "projection", "projections", "the",   "of",     "and",   "no",     "sample", "x",      "n"};

template <size_t n> bool is_one (std::string_view word, const std::string_view (&list)[n])
{
  return std::ranges::find (list, word) != std::end (list);
}

// "darkfield", "flats", "flatafter": a word of the list followed by another word that may be combined with it.
template <size_t n>
bool begins_with_one (std::string_view word, const std::string_view (&list)[n], std::string_view &rest)
{
  for (const auto &each : list)
    if (each.size () > 2 && word.starts_with (each)) {
      rest = word.substr (each.size ());
      if (rest.empty () || is_one (rest, plain_words) || is_one (rest, before_words) || is_one (rest, after_words) ||
          rest == "beam")
        return true;
    }
  return false;
}

} // namespace

std::vector<std::string> words_of (std::string_view name)
{
  std::vector<std::string> words;
  bool within = false, small = false;
  for (const char c : name) {
    const bool letter = g_ascii_isalpha (c) || static_cast<unsigned char> (c) >= 0x80;
    if (letter) {
      if (!within || (small && g_ascii_isupper (c)))
        words.emplace_back ();
      words.back () += g_ascii_tolower (c);
    }
    within = letter;
    small = letter && !g_ascii_isupper (c);
  }
  return words;
}

NameMeaning meaning_of (const std::vector<std::string> &words)
{
  NameMeaning meaning;
  const auto take = [&] (Role role) {
    meaning.role = meaning.role == Role::projections || meaning.role == role ? role : Role::several;
  };
  for (const auto &word : words) {
    std::string_view rest = word;
    if (is_one (word, flat_words) || begins_with_one (word, flat_words, rest))
      take (Role::flats);
    else if (is_one (word, dark_words) || begins_with_one (word, dark_words, rest))
      take (Role::darks);
    else if (is_one (word, result_words))
      take (Role::results);
    else if (!is_one (word, plain_words) && !is_one (word, before_words) && !is_one (word, after_words))
      meaning.sure = false;
    if (is_one (rest, before_words))
      meaning.time = meaning.time == Time::after ? Time::unsaid : Time::before;
    else if (is_one (rest, after_words))
      meaning.time = meaning.time == Time::before ? Time::unsaid : Time::after;
  }
  return meaning;
}

} // namespace sino::formats
