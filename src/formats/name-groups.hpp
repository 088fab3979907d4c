// SPDX-License-Identifier: LGPL-3.0-or-later
// Groups the files of a folder by names that differ only in numbers: "tomo_0001.tif" and "tomo_0002.tif" are in one
// group, "tomo_flat_0001.tif" is in another.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <string_view>
#include <vector>

namespace sino::formats {

struct NameGroup {
  std::vector<std::string> names; // names of the files, in natural order
  std::string pattern;            // "tomo_%04i.tif", which matches no other group; for a single file, its name
  std::string doubt;              // reason why the order of names may not be that of the images; "" if it is
};

// Whether a comes before b if runs of digits are compared as numbers: raw_2 before raw_10.
SINO_VISIBLE bool natural_less (std::string_view a, std::string_view b);

// Groups names that differ only in one number, or in a decimal number formed by two numbers ("p_0001_45.50.tif"), if
// this number is different in all of them. If no number is, the number with the fewest values divides the names: there
// is one group for each of its values ("scan1_0001.tif", "scan2_0001.tif"). Groups are in natural order. Names must not
// contain folders.
SINO_VISIBLE std::vector<NameGroup> group_names (const std::vector<std::string> &names);

// Whether a name matches a pattern: %i (or %d, also with a width) matches a number with any leading zeros, %% a per
// cent sign. The suffix may be in capital letters.
SINO_VISIBLE bool matches_pattern (std::string_view pattern, std::string_view name);

// Whether a pattern is valid and has at least one number.
SINO_VISIBLE bool is_number_pattern (std::string_view pattern);

// Converts a path to a pattern (doubles per cent signs), and back.
SINO_VISIBLE std::string escaped_pattern (std::string_view path);
SINO_VISIBLE std::string unescaped_pattern (std::string_view path);

} // namespace sino::formats
