// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "tasks/files/range.hpp"
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

// Angles in degrees and axes in columns beyond this are nonsense, and doubles could not resolve them.
constexpr double largest_number = 1e9;

// Degrees of all `count` projections of a scan from the property `angles`, of which `some` are wanted:
//
//   start:stop             spread over those from the first to the end of `some`, stop excluded
//   start:stop:inclusive   the same, stop being the angle of the last one
//   start:stop:step        of these, or of all projections, as their number tells
//   a path                 of a text file with an angle for each of all projections, or of these, or of `some`
//
// Throws when they do not match. `messages` gets what people should know.
std::vector<double> parse_angles (const std::string &word, int64_t count, const Range &some,
                                  std::vector<std::string> &messages);

// Whether the word is no path, so that angles follow from the number of projections.
bool is_sweep (const std::string &word);

// An angle of a stream, in radians, for a file: the degrees that radians () turns back exactly, where there are such,
// so that a scan is the same after it was written and read.
double to_degrees (double angle);

} // namespace sino::files
