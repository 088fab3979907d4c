// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads an image with a value for each pixel of the detector.
#pragma once
#include "glue/property.hpp"
#include "stream/format.hpp"
#include <string>
#include <vector>

namespace sino::detector_image {

// What an image is for; automatic: its size tells.
enum class Of : uint8_t { automatic, detector, projections };
inline constexpr Nick<Of> of_nicks[] = {
    {Of::automatic, "auto"}, {Of::detector, "detector"}, {Of::projections, "projections"}};
inline constexpr const char *of_blurb = "What the image is for: the whole detector, as its images are stored; the "
                                        "projections that arrive; auto: what its size fits";

// The values [row][column] for a stream of projections. `property`: the property with the path; `meaning`: "that is 0
// where a pixel is good"; both for messages. Throws Error.
std::vector<float> read (const char *property, const std::string &path, Of of, const Format &projections,
                         const char *meaning);

} // namespace sino::detector_image
