// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels of a family, built for a device.
#pragma once
#include "device/opencl.hpp"
#include "families/kernels.hpp"

namespace sino::families {

// Throws Error, a BuildError with the log.
SINO_INTERNAL cl::Program build (const OpenclDevice &device, const Family &family, const Setting &setting,
                                 const Problem &problem);

// The first of those formats that would do that the device has.
SINO_INTERNAL std::optional<cl::ImageFormat> image_format (const OpenclDevice &device, const ImageShape &image);

} // namespace sino::families
