// SPDX-License-Identifier: LGPL-3.0-or-later
// Measures the speed of transfers between a device and the host.
#pragma once
#include "device/device.hpp"

namespace sino {

struct Bus {
  double up, down; // bytes per second, one direction at a time, from and to pinned pages
};

// Takes some hundredths of a second. Throws Error; SINO_ERROR_DEVICE if the device is not an OpenCL device.
SINO_VISIBLE Bus measure_bus (const Device &device);

} // namespace sino
