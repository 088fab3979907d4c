// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels of a family, built for a device.
#pragma once
#include "device/opencl.hpp"
#include "families/kernels.hpp"

namespace sino::families {

// Why the kernel cannot solve the problem on the device, whose formats of images are asked for; "" when it can.
SINO_VISIBLE std::string refusal (const OpenclDevice &device, const Setting &setting, const Problem &problem);

// With the options of the family. Throws Error, a BuildError with the log.
SINO_VISIBLE cl::Program build (const OpenclDevice &device, const Setting &setting, const Problem &problem,
                                Options options = no_options);

// The first of those formats that would do that the device has.
SINO_VISIBLE std::optional<cl::ImageFormat> image_format (const OpenclDevice &device, const ImageShape &image);

} // namespace sino::families
