// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/point/opencl-elements.hpp"
#include "base/half.hpp"
#include "device/devices.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace sino::point {

families::Word element_word ()
{
  return {.name = "element",
          .help = "Element type of the input values",
          .values = {"u8", "u16", "f16", "f32"},
          .from = families::Word::From::scan};
}

std::string element_option (Element element)
{
  constexpr const char *types[] = {"uchar", "ushort", "half -DHALF", "float"};
  return std::string (" -DIN=") + types[static_cast<size_t> (element)];
}

std::string precise_option (const OpenclDevice &device)
{
  const bool can = device.device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG> () & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  return can ? " -cl-fp32-correctly-rounded-divide-sqrt" : "";
}

cl::Program build_precise (const OpenclDevice &device, const families::Setting &setting,
                           const families::Problem &problem, families::Options options)
{
  const auto &source = setting.kernel->source;
  return device.build (source.name, source.read (source.name),
                       families::build_options (setting, problem, options) + precise_option (device));
}

static bool has_doubles (const Device &device)
{
  const auto &opencl = as_opencl (device);
  return opencl.attempt ([&] { return opencl.device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG> () != 0; });
}

bool runs_in_doubles (const families::Use &use, const Device &device)
{
  if (!use.runs_on (device) || has_doubles (device))
    return use.runs_on (device);
  if (use.names_kernel ())
    fail (SINO_ERROR_DEVICE, "variant=%s computes in float64, which %s (%s) does not support: set variant=native",
          use.variant.c_str (), device.id.c_str (), device.name.c_str ());
  return false;
}

std::vector<std::string> explain_doubles (const Device &device)
{
  if (device.kind != Device::Kind::opencl || has_doubles (device))
    return {};
  return {"native kernel, because the OpenCL kernel computes in float64, which the device does not support"};
}

void store_value (Element element, std::byte *to, float value)
{
  const auto put = [to] (auto v) { std::memcpy (to, &v, sizeof v); };
  switch (element) {
  case Element::u8:
    return put (static_cast<uint8_t> (value));
  case Element::u16:
    return put (static_cast<uint16_t> (value));
  case Element::f16:
    return put (half_from_float (value));
  default:
    return put (value);
  }
}

double largest_error (std::span<const float> values, std::span<const float> truth)
{
  double most = 0;
  for (size_t i = 0; i < truth.size (); i++) {
    if (values[i] == truth[i] || (std::isnan (values[i]) && std::isnan (truth[i])))
      continue;
    const double should = truth[i], error = std::fabs (values[i] - should) / std::max (1., std::fabs (should));
    most = std::max (most, std::isfinite (error) ? error : HUGE_VAL);
  }
  return most;
}

} // namespace sino::point
