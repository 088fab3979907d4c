// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/image-file.hpp"

namespace sino::files {

using namespace formats;

// Limit for angles in degrees and axes in columns; larger values are errors, and doubles could not resolve them.
constexpr double largest_number = 1e9;

// Numbers beside the images; empty if there are not `count` of them. Throws on values that are not finite or too large.
std::vector<double> numbers (const ImageFile &file, const std::string &name, int64_t count);

// The same in degrees, converted from the stored unit.
std::vector<double> degrees (const ImageFile &file, const std::string &name, int64_t count);

// Converts an angle of a stream from radians to degrees for a file, so that radians () gives exactly the same value, if
// possible: a scan does not change when it is written and read.
double to_degrees (double angle);

} // namespace sino::files
