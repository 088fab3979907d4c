// SPDX-License-Identifier: LGPL-3.0-or-later
// The rays of a scan from its angles and its rotation axis.
#pragma once
#include "kernels/back-project/back-project.hpp"
#include <vector>

namespace sino::back_project {

// Weight of a projection: each direction counts once, even if it was measured several times; all the same; or half the
// angles to its neighbours.
enum class Weights { automatic, uniform, spacing };

// `axis`: the column of each projection; `offset` is added to the angles; both are radians.
std::vector<Ray> make_rays (const std::vector<double> &angles, const std::vector<double> &axis, double offset,
                            Weights weights);

} // namespace sino::back_project
