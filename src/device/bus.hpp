// SPDX-License-Identifier: LGPL-3.0-or-later
// How fast a device and the host exchange data, measured now.
#pragma once
#include "device/device.hpp"

namespace sino {

struct Bus {
  double up, down; // bytes per second, one way at a time, from and to pages that stay in place
};

// Transfers pieces for some hundredths of a second. Throws Error; SINO_ERROR_DEVICE where the device is no OpenCL one.
SINO_VISIBLE Bus measure_bus (const Device &device);

} // namespace sino
