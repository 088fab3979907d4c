// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the role of images from the words in names of files and folders.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <string_view>
#include <vector>

namespace sino::formats {

// Splits a name into words in lower case, at characters that are not letters and at a capital after a small letter:
// "Flat_Before" and "flatBefore" give "flat" and "before".
SINO_VISIBLE std::vector<std::string> words_of (std::string_view name);

enum class Role { projections, flats, darks, results, several };
enum class Time { unsaid, before, after };

struct NameMeaning {
  Role role = Role::projections; // projections if no word says otherwise; several: words for more than one role
  Time time = Time::unsaid;
  bool sure = true; // all words are known, so none may belong to a sample's name
};

SINO_VISIBLE NameMeaning meaning_of (const std::vector<std::string> &words);

} // namespace sino::formats
