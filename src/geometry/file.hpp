// SPDX-License-Identifier: LGPL-3.0-or-later
// The geometry of a scan from a file of another program: RTK's XML, TIGRE's structure as JSON, ASTRA's vectors or
// projection matrices as lines of 12 numbers. docs/guide/geometry.md has the conventions of each.
#pragma once
#include "geometry/panel.hpp"
#include <string>

namespace sino {

// A view for each of so many projections. The content tells what the file is. Throws Error.
SINO_VISIBLE std::vector<View> read_geometry (const std::string &path, const Panel &panel, int64_t projections);

// Throws Error, which names the first projection whose rays do not meet the detector in a point each.
SINO_VISIBLE void check_views (std::span<const View> views);

// Radians by which the object was turned in each view: the directions at right angles to the detector (in a parallel
// beam, of the rays) about z. They go on beyond a turn, without a jump of more than a half one.
SINO_VISIBLE std::vector<double> angles_of (std::span<const View> views);

} // namespace sino
