// SPDX-License-Identifier: LGPL-3.0-or-later
// Multiplies values by a factor: on the CPU (the reference), and with OpenCL kernels that do the same.
#include "device/opencl.hpp"
#include "glue/module-entry.hpp"
#include "glue/workers/kernel-point-filter.hpp"
#include "my-gain-kernels.hpp"

namespace {
using namespace sino;

const families::Family &family ();

class MyGainFilter final : public KernelPointFilter
{
public:
  static constexpr Info info{"my-gain", "Multiply values by a factor", "MyGainFilter"};
  // The formats that the node takes; any other format is refused before negotiate ().
  static constexpr Signature signature{.takes = {any_kind, Element::f32}};

  double factor = 2;
  families::Use opencl{family ()};

  static constexpr auto properties =
      joined (std::array{prop<&MyGainFilter::factor> ("factor", "What values are multiplied by")},
              kernel_properties<&MyGainFilter::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  // Returns the output format for the input format; touches no pixel.
  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    opencl.negotiated (family ().usual);
    format.mark_changed (info.name);
    return format;
  }

  // The reference; every kernel is compared with it before its first use on a device.
  void process (const Cpu &cpu, const Block &in, Block &out) const override
  {
    const auto by = static_cast<float> (factor);
    cpu.parallel (in.values (), 1 << 16, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        out.as<float> ()[i] = by * in.as<float> ()[i];
    });
  }

  // Sets the kernel arguments after in, values and out.
  void set_arguments (cl::Kernel &kernel, unsigned first) const override
  {
    kernel.setArg (first, static_cast<cl_float> (factor));
  }
};

// The kernels; the first one is used if the device was not tuned.
const families::Family &family ()
{
  static const families::KernelSource source{"my-gain.cl", my_gain_source};
  static const auto all =
      point_family<MyGainFilter> ("my-gain", {point_kernel ("four", "four values by a work-item", source, 4),
                                              point_kernel ("plain", "a value by a work-item", source)});
  return all;
}

SINO_REGISTER (MyGainFilter)

} // namespace

SINO_MODULE
