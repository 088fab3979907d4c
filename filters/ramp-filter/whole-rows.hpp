// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters a row in one launch, which reads and writes it once: whole.cl.
#pragma once
#include "device/line-plan.hpp"
#include "filters/ramp-filter/opencl-rows.hpp"

namespace sino::ramp_filter {

class WholeRows final : public OpenclRows
{
public:
  static void memory (const LinePlan &plan, Bill &bill);

  WholeRows (const RowsSetup &setup, const LinePlan &plan);

  std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &out,
                                           int64_t rows, int64_t angles) override;

private:
  const OpenclDevice &device;
  const LinePlan plan; // plan for transforms of half a padded row
  const int64_t width, lanes;
  cl::Kernel kernel;
  cl::Buffer factors, turns;
};

} // namespace sino::ramp_filter
