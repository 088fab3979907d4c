// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

// Degrees of `count` projections from the property `angles`: "start:stop" (stop excluded), "start:stop:step", or the
// path of a text file with one angle per projection. Throws when they do not match.
std::vector<double> parse_angles (const std::string &word, int64_t count);

} // namespace sino::files
