// SPDX-License-Identifier: LGPL-3.0-or-later
// The files of a folder, in groups whose names differ in numbers only: "tomo_0001.tif" and "tomo_0002.tif" are of one
// group, "tomo_flat_0001.tif" is of another.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <string_view>
#include <vector>

namespace sino::formats {

struct NameGroup {
  std::vector<std::string> names; // in natural order
  std::string pattern;            // "tomo_%04i.tif", which no other group matches; of a single file its name
  std::string doubt;              // why the order of the names is not that of the images; "" where it is
};

// Whether a comes before b when runs of digits count as numbers: raw_2 before raw_10.
SINO_VISIBLE bool natural_less (std::string_view a, std::string_view b);

// Names with several numbers are one group where one of these numbers, or the decimal number that two of them make,
// differs in all names ("p_0001_45.50.tif"); else each value of the number that differs least has a group
// ("scan1_0001.tif", "scan2_0001.tif"). Groups are in natural order. Names have no folder.
SINO_VISIBLE std::vector<NameGroup> group_names (const std::vector<std::string> &names);

// Whether a name is of a pattern, whose suffix may have capital letters, in which each %i (or %d, with a width if
// wanted) stands for a number with as many leading zeros as it likes, and %% for a per cent sign.
SINO_VISIBLE bool matches_pattern (std::string_view pattern, std::string_view name);

// Whether a pattern is one, with a number at least.
SINO_VISIBLE bool is_number_pattern (std::string_view pattern);

// A path as a pattern: with %% for a per cent sign.
SINO_VISIBLE std::string escaped_pattern (std::string_view path);
SINO_VISIBLE std::string unescaped_pattern (std::string_view path);

} // namespace sino::formats
