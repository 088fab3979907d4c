// SPDX-License-Identifier: LGPL-3.0-or-later
// Of filters that run on the CPU and on OpenCL devices: what the user wants.
#pragma once
#include "device/device.hpp"
#include "glue/property.hpp"

namespace sino {

enum class Variant { automatic, native, opencl };

inline constexpr Nick<Variant> variant_nicks[] = {
    {Variant::automatic, "auto"}, {Variant::native, "native"}, {Variant::opencl, "opencl"}};
inline constexpr const char *variant_blurb =
    "Where values are worked on: native (by the CPU), opencl (by the device's kernels), or auto: opencl on GPUs";

// Whether OpenCL kernels run there; on CPUs that are OpenCL devices ours are faster. Throws when there is no OpenCL.
bool runs_opencl (Variant variant, const Device &device);

// For Task::explain ().
std::vector<std::string> variant_reason (Variant variant, const Device &device, const char *opencl_kernels);

// For Task::remark (): what runs on an OpenCL device.
std::string variant_remark (Variant variant, const Device &device, const char *opencl_kernels);

} // namespace sino
