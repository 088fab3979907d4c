// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels of a family, built for a device.
#pragma once
#include "device/opencl.hpp"
#include "families/kernels.hpp"

namespace sino::families {

// The reason why the kernel cannot solve the problem on the device; "" if it can. Also asks the driver for its image
// formats.
SINO_VISIBLE std::string refusal (const OpenclDevice &device, const Setting &setting, const Problem &problem);

// Builds the kernel with the family's options. Throws Error, or a BuildError with the compiler's log.
SINO_VISIBLE cl::Program build (const OpenclDevice &device, const Setting &setting, const Problem &problem,
                                Options options = no_options);

// The first suitable image format that the device supports; none if it has none.
SINO_VISIBLE std::optional<cl::ImageFormat> image_format (const OpenclDevice &device, const ImageShape &image);

} // namespace sino::families
