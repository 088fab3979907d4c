// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles, rotation axis and weights of a scan in the form that kernels use.
#pragma once
#include "kernels/back-project/rays.hpp"
#include "stream/geometry.hpp"
#include <string>
#include <vector>

namespace sino::slice {

using back_project::make_rays;
using back_project::Ray;
using back_project::Weights;

// The axis of each projection from the property `axis`: "auto", a number, or the path of a text file.
std::vector<double> axis_from (const std::string &property, const Geometry &geometry, int64_t columns);

} // namespace sino::slice
