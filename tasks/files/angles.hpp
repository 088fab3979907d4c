// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

// Angles in degrees and axes in columns beyond this are nonsense, and doubles could not resolve them.
constexpr double largest_number = 1e9;

// Degrees of `count` projections from the property `angles`: "start:stop" (stop excluded), "start:stop:step", or the
// path of a text file with one angle per projection. Throws when they do not match.
std::vector<double> parse_angles (const std::string &word, int64_t count);

// Whether the word is "start:stop" or "start:stop:step", so that angles follow from the number of projections.
bool is_sweep (const std::string &word);

// An angle of a stream, in radians, for a file: the degrees that radians () turns back exactly, where there are such,
// so that a scan is the same after it was written and read.
double to_degrees (double angle);

} // namespace sino::files
