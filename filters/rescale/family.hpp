// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"
#include "filters/point/opencl-values.hpp"
#include "kernels/rescale/rescale.hpp"

namespace sino::rescale {

const families::Family &family ();
families::Problem problem_of (Element from, Element to);

// Sets the limits as arguments of the kernel.
void take (point::OpenclValues &values, const Limits &limits);

} // namespace sino::rescale
