// SPDX-License-Identifier: LGPL-3.0-or-later
// Two short measurements of an unknown device, for the speed model.
#pragma once
#include "device/opencl.hpp"
#include "filters/back-project/opencl/model.hpp"

namespace sino::back_project {

// Speed at which the device fetches texels, and updates pixels from local memory: some milliseconds each. Results are
// cached in a file.
Measured measure (const families::Family &family, const OpenclDevice &device, const Problem &problem);

} // namespace sino::back_project
