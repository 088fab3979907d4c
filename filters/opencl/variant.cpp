// SPDX-License-Identifier: LGPL-3.0-or-later
#include "opencl/variant.hpp"
#include "base/error.hpp"
#include "device/opencl.hpp"

namespace sino {

bool runs_opencl (Variant variant, const Device &device)
{
  if (device.kind == Device::Kind::native) {
    if (variant == Variant::opencl)
      fail (SINO_ERROR_DEVICE, "variant=opencl does not run on %s (%s): it has 'native'", device.id.c_str (),
            device.name.c_str ());
    return false;
  }
  return variant == Variant::opencl ||
         (variant == Variant::automatic && dynamic_cast<const OpenclDevice &> (device).is_gpu);
}

std::vector<std::string> variant_reason (Variant variant, const Device &device, const char *opencl_kernels)
{
  if (device.kind == Device::Kind::native)
    return {};
  if (runs_opencl (variant, device))
    return {text ("%s: what it gives stays in the device's memory", opencl_kernels)};
  return {text ("native kernel, which is faster on a CPU (variant=opencl: %s)", opencl_kernels)};
}

std::string variant_remark (Variant variant, const Device &device, const char *opencl_kernels)
{
  if (device.kind == Device::Kind::native)
    return {};
  return runs_opencl (variant, device) ? opencl_kernels : "native kernel";
}

} // namespace sino
