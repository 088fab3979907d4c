// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "tasks/files/numbers.hpp"
#include "tasks/files/scan/range.hpp"
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

// Angles in degrees of all `count` projections of a scan, from the property `angles`. The range `some` of projections
// will be read:
//
//   start:stop             evenly spaced for projections some.first to some.end - 1; stop is excluded
//   start:stop:inclusive   the same, but stop is the last angle
//   start:stop:step        for these projections, or for all; the number of angles decides
//   a path                 a text file with angles for all projections, for these, or for those in `some`
//
// Throws if the number of angles does not fit. `messages` gets messages for people.
std::vector<double> parse_angles (const std::string &word, int64_t count, const Range &some,
                                  std::vector<std::string> &messages);

// Whether the word is not a path, so that the angles follow from the number of projections.
bool is_sweep (const std::string &word);

} // namespace sino::files
