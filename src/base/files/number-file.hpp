// SPDX-License-Identifier: LGPL-3.0-or-later
// Text files of numbers, as people and other programs write them.
#pragma once
#include "base/visibility.hpp"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sino {

// The numbers of a text file, with blanks, commas or semicolons between them and comments from '#' to the end of the
// line. A first line of words alone is a header. Where there are as many as one of `counts` by that, commas are decimal
// ones, or the first of two columns numbers the lines. Callers check the count. Throws when a word is not `each` ("an
// angle in degrees"): no number, or one beyond `limit`; and where commas can be understood in two ways.
// `remarks`: what its header and its comments say, in small letters.
SINO_VISIBLE std::vector<double> read_numbers (const char *what, const char *each, const std::string &path,
                                               std::span<const int64_t> counts, double limit,
                                               std::string *remarks = nullptr);

} // namespace sino
