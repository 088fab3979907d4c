// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/device.hpp"
#include "filters/reconstruct/estimate.hpp"

namespace sino::reconstruct {

// What of a device the estimates need; of an OpenCL device from the model of its kernels.
Machine machine_of (const Device &device, int threads, const Work &work);

// Whether it is a GPU: gridding has not been measured there.
bool is_gpu (const Device &device);

} // namespace sino::reconstruct
