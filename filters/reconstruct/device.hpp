// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/device.hpp"
#include "device/facts.hpp"
#include "filters/reconstruct/estimate.hpp"

namespace sino::reconstruct {

// Properties of a device that the estimates need; for OpenCL devices from the model of the kernels.
Machine machine_of (const Device &device, int threads, const Work &work);

// The same, from the facts that an OpenCL device reports.
Machine machine_of (const OpenclFacts &facts, int threads, const Work &work);

} // namespace sino::reconstruct
