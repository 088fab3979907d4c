// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of back-projection.
#pragma once
#include "families/family.hpp"

namespace sino::back_project {

const families::Family &family ();

} // namespace sino::back_project
