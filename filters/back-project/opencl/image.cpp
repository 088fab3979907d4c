// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/image.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::back_project {

namespace {

// Kernels read as many components as there are lanes, from the first on.
std::vector<cl_channel_order> orders (int lanes)
{
  switch (lanes) {
  case 1:
    return {CL_R, CL_LUMINANCE, CL_INTENSITY};
  case 2:
    return {CL_RG};
  default:
    return {CL_RGBA};
  }
}

const char *word (cl_channel_order order)
{
  return order == CL_R ? "R" : order == CL_RG ? "RG" : "RGBA";
}

} // namespace

std::optional<cl::ImageFormat> image_format (const OpenclDevice &device, const Problem &problem)
{
  const auto type = static_cast<cl_channel_type> (problem.half ? CL_HALF_FLOAT : CL_FLOAT);
  std::vector<cl::ImageFormat> formats;
  device.attempt (
      [&] { device.context ().getSupportedImageFormats (CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &formats); });
  for (const auto order : orders (problem.lanes))
    if (std::any_of (formats.begin (), formats.end (), [&] (const auto &format) {
          return format.image_channel_order == order && format.image_channel_data_type == type;
        }))
      return cl::ImageFormat (order, type);
  return {};
}

std::string refusal (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  if (auto why = refusal (setting, problem, device.facts ()); !why.empty ())
    return why;
  if (variant_of (setting).uses_image (setting) && !image_format (device, problem))
    return text ("wants images of %s %s, a format that the device has not", word (orders (problem.lanes)[0]),
                 problem.half ? "half" : "float");
  return {};
}

} // namespace sino::back_project
