// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads an image with a value for each pixel of the detector.
#pragma once
#include "stream/format.hpp"
#include <string>
#include <vector>

namespace sino::detector_image {

// The values [row][column] for a stream of projections, from an image for the stream or for the whole detector.
// `property`: the property with the path; `meaning`: "that is 0 where a pixel is good"; both for messages. Throws
// Error.
std::vector<float> read (const char *property, const std::string &path, const Format &projections, const char *meaning);

} // namespace sino::detector_image
