// SPDX-License-Identifier: LGPL-3.0-or-later
// A range of axes to try: start:stop:step.
#pragma once
#include <string>
#include <vector>

namespace sino::slice {

// Whether the property looks like a range, valid or not, and not like a file name.
bool is_axis_range (const std::string &property);

// Returns the columns from start in steps, before stop. Throws if there are none, or too many.
std::vector<double> axes_of (const std::string &property);

} // namespace sino::slice
