// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/image-file.hpp"

namespace sino::files {

using namespace formats;

// Angles in degrees and axes in columns beyond this are nonsense, and doubles could not resolve them.
constexpr double largest_number = 1e9;

// Numbers from beside the images; empty when there are not `count` of them. Throws on what is none.
std::vector<double> numbers (const ImageFile &file, const std::string &name, int64_t count);

// The same in degrees, whatever unit they are stored in.
std::vector<double> degrees (const ImageFile &file, const std::string &name, int64_t count);

// An angle of a stream, in radians, for a file: the degrees that radians () turns back exactly, where there are such,
// so that a scan is the same after it was written and read.
double to_degrees (double angle);

} // namespace sino::files
