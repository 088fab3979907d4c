// SPDX-License-Identifier: LGPL-3.0-or-later
// What the words in names of files and folders say of the images.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <string_view>
#include <vector>

namespace sino::formats {

// Small letters between what is no letter, and where a capital letter follows a small one: "Flat_Before" and
// "flatBefore" are "flat" and "before".
SINO_VISIBLE std::vector<std::string> words_of (std::string_view name);

enum class Role { projections, flats, darks, results, several };
enum class Time { unsaid, before, after };

struct NameMeaning {
  Role role = Role::projections; // projections where no word says another; several: words for more than one
  Time time = Time::unsaid;
  bool sure = true; // no word is left that may belong to a sample's name
};

SINO_VISIBLE NameMeaning meaning_of (const std::vector<std::string> &words);

} // namespace sino::formats
