// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces each value by the median around it: removes spots and outliers, and keeps edges.
#include "filters/median/family.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::median {
namespace {

const families::Family &family ();

class Median final : public NeighbourFilter
{
public:
  static constexpr Info info{"median", "Replace each value by the median of its neighbourhood"};

  median::WindowSettings settings;
  families::Use opencl{family ()};

  static constexpr auto properties = joined (group<&Median::settings> (), kernel_properties<&Median::opencl> ());

  Format filtered (const Format &input) override
  {
    settings.check (input, info.name);
    opencl.negotiated (window_problem (settings, input));
    Format output = input;
    output.mark_smoothed (info.name);
    return output;
  }

  int64_t reach_along (Axis axis) const override { return settings.reach_along (axis, input_format ()); }

  std::unique_ptr<LineMaker> line_maker (int64_t step) const override
  {
    return std::make_unique<median::MedianMaker> (input_format ().element, settings.window (), step);
  }
  size_t line_memory (int64_t step) const override
  {
    return median::median_scratch (input_format ().element, settings.window (), step);
  }

  const families::Use *kernels () const override { return &opencl; }

  // On the CPU, from the number of minima and maxima of bytes that a thread computes per second with vectors.
  double seconds (const Device &device, int threads) const override
  {
    const double operations = input_format ().bytes () * median::median_operations (settings.window ());
    return on_device (device) ? 0 : operations / (1.5e11 * threads);
  }
};

const families::Family &family ()
{
  static const auto all = window_family (
      "median", {"median/median.cl", opencl::opencl_source}, {},
      [] (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem) {
        Median task;
        return try_window (task, task.settings, device, setting, problem);
      });
  return all;
}

} // namespace

SINO_REGISTER (Median)

} // namespace sino::median
