// SPDX-License-Identifier: LGPL-3.0-or-later
// Bad pixels as an image in a file.
#pragma once
#include "filters/bad-pixels/map.hpp"
#include "stream/format.hpp"
#include <string>

namespace sino::bad_pixels {

// The map of those pixels that reach a stream of projections, of a mask for these or for the whole detector: its values
// are 0 where a pixel is good.
Map read_mask (const std::string &path, const Format &projections);

} // namespace sino::bad_pixels
