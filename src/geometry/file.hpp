// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads the geometry of a scan from a file of another program: RTK's XML, TIGRE's structure as JSON, ASTRA's vectors or
// projection matrices as lines of 12 numbers. Their conventions: docs/guide/geometry.md.
#pragma once
#include "geometry/panel.hpp"
#include <string>

namespace sino {

// Reads one view for each of the `projections` projections. The content determines the format. Throws Error.
SINO_VISIBLE std::vector<View> read_geometry (const std::string &path, const Panel &panel, int64_t projections);

// Throws Error if the rays of a view do not meet the detector in one point each; names the first such projection.
SINO_VISIBLE void check_views (std::span<const View> views);

// Rotation angle of the object in each view, in radians: direction of the detector's normal about z (in a parallel
// beam: of the rays). Neighbouring angles differ by at most half a turn, so the angles may exceed a whole turn.
SINO_VISIBLE std::vector<double> angles_of (std::span<const View> views);

} // namespace sino
