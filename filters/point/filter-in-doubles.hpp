// SPDX-License-Identifier: LGPL-3.0-or-later
// A point filter whose OpenCL kernels compute in float64: devices without it leave the node to the CPU, and plans say
// so.
#pragma once
#include "device/device.hpp"
#include "filters/point/opencl-elements.hpp"
#include "glue/shapes.hpp"

namespace sino::point {

class FilterInDoubles : public PointFilter
{
public:
  bool on_device (const Device &device) const override { return runs_in_doubles (*kernels (), device); }
  std::string remark (const Device &device, int lanes) const override
  {
    return device.kind == Device::Kind::native || on_device (device) ? PointFilter::remark (device, lanes)
                                                                     : "native kernel";
  }
  std::vector<std::string> explain (const Device &device) const override
  {
    const auto native = explain_doubles (device);
    return native.empty () ? PointFilter::explain (device) : native;
  }
};

} // namespace sino::point
