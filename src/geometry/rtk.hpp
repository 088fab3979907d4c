// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "geometry/panel.hpp"
#include <string>

namespace sino {

// RTK's ThreeDCircularProjectionGeometry in XML. Throws Error.
std::vector<View> parse_rtk (const std::string &content, const Panel &panel, int64_t projections);

} // namespace sino
