// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of cone-back-project.
#pragma once
#include "families/family.hpp"

namespace sino::cone_back_project {

const families::Family &family ();

} // namespace sino::cone_back_project
