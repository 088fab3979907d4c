// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/program.hpp"
#include <algorithm>

namespace sino::families {

// Channel orders with at least `components` components; a kernel ignores the others.
static std::vector<cl_channel_order> orders (int components)
{
  switch (components) {
  case 1:
    return {CL_R, CL_LUMINANCE, CL_INTENSITY};
  case 2:
    return {CL_RG};
  default:
    return {CL_RGBA};
  }
}

std::optional<cl::ImageFormat> image_format (const OpenclDevice &device, const ImageShape &image)
{
  const auto type = static_cast<cl_channel_type> (image.half ? CL_HALF_FLOAT : CL_FLOAT);
  std::vector<cl::ImageFormat> formats;
  device.attempt (
      [&] { device.context ().getSupportedImageFormats (CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &formats); });
  for (const auto order : orders (image.components))
    if (std::ranges::any_of (formats, [&] (const auto &format) {
          return format.image_channel_order == order && format.image_channel_data_type == type;
        }))
      return cl::ImageFormat (order, type);
  return {};
}

std::string refusal (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  if (auto why = refusal (setting, problem, device.facts ()); !why.empty ())
    return why;
  if (const auto image = setting.kernel->shape (setting, problem).image; image && !image_format (device, *image))
    return text ("needs images of %s %s, a format that the device does not have",
                 image->components == 1   ? "R"
                 : image->components == 2 ? "RG"
                                          : "RGBA",
                 image->half ? "half" : "float");
  return {};
}

cl::Program build (const OpenclDevice &device, const Setting &setting, const Problem &problem, Options options)
{
  const auto &source = setting.kernel->source;
  return device.build (source.name, source.read (source.name), build_options (setting, problem, options));
}

} // namespace sino::families
