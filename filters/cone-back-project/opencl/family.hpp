// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of cone-back-project.
#pragma once
#include "families/family.hpp"

namespace sino::cone_back_project {

// Largest error of kernels for accuracy=exact: relative root mean square, of slices of scans.
constexpr double exact_error = 1e-5;

const families::Family &family ();

} // namespace sino::cone_back_project
