// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads a map of bad pixels from an image file.
#pragma once
#include "filters/bad-pixels/map.hpp"
#include "stream/format.hpp"
#include <string>

namespace sino::bad_pixels {

// Map of the bad pixels of a stream of projections, from a mask for the stream or for the whole detector. The mask is 0
// where a pixel is good.
Map read_mask (const std::string &path, const Format &projections);

} // namespace sino::bad_pixels
