// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of forward-project.
#pragma once
#include "families/family.hpp"

namespace sino::forward_project {

const families::Family &family ();

} // namespace sino::forward_project
