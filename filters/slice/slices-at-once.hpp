// SPDX-License-Identifier: LGPL-3.0-or-later
// How many slices a device computes at once.
#pragma once
#include "device/bill.hpp"
#include "device/opencl.hpp"
#include <functional>

namespace sino::slice {

// `most` slices, halved until the bill of so many fits on the device; at least two. `share`: of its memory, if the user
// limits it; otherwise a half. The rest is for blocks. Throws Error if a buffer for two slices is too large.
int slices_at_once (const OpenclDevice &device, int most, double share,
                    const std::function<Bill (int slices)> &bill_of);

} // namespace sino::slice
