// SPDX-License-Identifier: LGPL-3.0-or-later
// The images that kernels read bins from: a texel has all lanes.
#pragma once
#include "back-project/opencl/variant.hpp"
#include "device/opencl.hpp"

namespace sino::back_project {

// The first of those that would do that the device has for the problem's lanes and bins.
std::optional<cl::ImageFormat> image_format (const OpenclDevice &device, const Problem &problem);

// Why the kernel cannot solve the problem on the device, by what is known without running it; "" when it can.
std::string refusal (const OpenclDevice &device, const Setting &setting, const Problem &problem);

} // namespace sino::back_project
