// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "tasks/files/numbers.hpp"
#include "tasks/files/scan/range.hpp"
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

// Angles in degrees of all `count` projections of a scan, from the property `angles`; the range `some` of projections
// is wanted:
//
//   start:stop             spread over those from the first to the end of `some`, stop excluded
//   start:stop:inclusive   the same, stop being the angle of the last one
//   start:stop:step        of these, or of all projections, as their number tells
//   a path                 of a text file with an angle for each of all projections, or of these, or of `some`
//
// Throws if they do not match. `messages` gets messages for people.
std::vector<double> parse_angles (const std::string &word, int64_t count, const Range &some,
                                  std::vector<std::string> &messages);

// Whether the word is not a path, so that the angles follow from the number of projections.
bool is_sweep (const std::string &word);

} // namespace sino::files
