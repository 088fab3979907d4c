// SPDX-License-Identifier: LGPL-3.0-or-later
// Axes to try, one after the other, as people write them: start:stop:step.
#pragma once
#include <string>
#include <vector>

namespace sino::slice {

// Whether a property is a range, right or not, and no name of a file.
bool is_axis_range (const std::string &property);

// Columns from start on, in steps, before stop. Throws where that is nothing, or too many.
std::vector<double> axes_of (const std::string &property);

} // namespace sino::slice
