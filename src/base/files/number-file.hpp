// SPDX-License-Identifier: LGPL-3.0-or-later
// Text files of numbers, in the forms that people and other programs write.
#pragma once
#include "base/visibility.hpp"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sino {

// Reads a text file of numbers, separated by blanks, commas or semicolons, with comments from '#' to the end of the
// line. A first line with words only is a header. If another reading gives one of the expected `counts`, it is used:
// commas as decimal points, or the first of two columns as line numbers. Callers check the count. Throws if a word is
// not `each` ("an angle in degrees"), that is, not a number or beyond `limit`, and if commas can be read in two ways.
// `remarks`: text of the header and the comments, in lower case.
SINO_VISIBLE std::vector<double> read_numbers (const char *what, const char *each, const std::string &path,
                                               std::span<const int64_t> counts, double limit,
                                               std::string *remarks = nullptr);

} // namespace sino
