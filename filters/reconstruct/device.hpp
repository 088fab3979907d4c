// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/device.hpp"
#include "device/facts.hpp"
#include "filters/reconstruct/estimate.hpp"

namespace sino::reconstruct {

// What of a device the estimates need; of an OpenCL device from the model of its kernels.
Machine machine_of (const Device &device, int threads, const Work &work);

// The same by what an OpenCL device says about itself.
Machine machine_of (const OpenclFacts &facts, int threads, const Work &work);

} // namespace sino::reconstruct
