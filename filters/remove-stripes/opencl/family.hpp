// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of remove-stripes as a family.
#pragma once
#include "families/family.hpp"

namespace sino::remove_stripes {

const families::Family &family ();

} // namespace sino::remove_stripes
