// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads a map of bad pixels from an image file.
#pragma once
#include "filters/bad-pixels/map.hpp"
#include "filters/detector-image/read.hpp"

namespace sino::bad_pixels {

// Map of the bad pixels of a stream of projections, from a mask for the stream or for the whole detector. The mask is 0
// where a pixel is good.
Map read_mask (const std::string &path, detector_image::Of of, const Format &projections);

} // namespace sino::bad_pixels
