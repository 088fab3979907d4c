// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "geometry/panel.hpp"
#include <string>

namespace sino {

// TIGRE's structure `geo` with its `angles`, as JSON. Throws Error.
std::vector<View> parse_tigre (const std::string &content, const Panel &panel, int64_t projections);

} // namespace sino
