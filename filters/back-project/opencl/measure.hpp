// SPDX-License-Identifier: LGPL-3.0-or-later
// Two short measurements of a device that nobody knows, for the model.
#pragma once
#include "device/opencl.hpp"
#include "filters/back-project/opencl/model.hpp"

namespace sino::back_project {

// How fast the device fetches texels, and updates pixels from local memory: some milliseconds each. What was
// measured is kept.
Measured measure (const families::Family &family, const OpenclDevice &device, const Problem &problem);

} // namespace sino::back_project
