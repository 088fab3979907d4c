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
  // `projections` if no word is for another role; `several` if words are for more than one role
  Role role = Role::projections;
  Time time = Time::unsaid;
  bool sure = true; // whether all words are known, so that none can be a part of a sample's name
};

SINO_VISIBLE NameMeaning meaning_of (const std::vector<std::string> &words);

} // namespace sino::formats
