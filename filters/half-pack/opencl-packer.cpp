// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/half-pack/opencl-packer.hpp"
#include "families/trial.hpp"
#include "filters/opencl/arguments.hpp"
#include "glue/workers/kernel-point-filter.hpp"
#include "kernels/half-pack/half-pack.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::half_pack {

using namespace families;

OpenclPacker::OpenclPacker (const OpenclDevice &d, const families::Setting &setting, const families::Problem &problem)
    : device (d), counter (d), group (setting.kernel->shape (setting, problem).group[0])
{
  device.attempt ([&] { kernel = cl::Kernel (families::build (device, setting, problem), "half_pack"); });
}

cl::Event OpenclPacker::enqueue (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t n, const cl::Buffer &out)
{
  return device.attempt ([&] {
    opencl::set (kernel, 0, in, opencl::Long{n}, out, counter.buffer ());
    return opencl::launch (queue, kernel, round_up (static_cast<size_t> (n), group), group);
  });
}

namespace {

// Values of all magnitudes and signs of half, between these, and beyond its range.
std::vector<float> some_values ()
{
  std::vector<float> values;
  for (float v = 1e-8f; v < 1e5f; v *= 1.03f)
    values.insert (values.end (), {v, -v});
  return values;
}

// Share of values that differ from the native kernel's; 1 if the number of overflows differs.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto values = some_values ();
  std::vector<uint16_t> truth (values.size ()), got (values.size ());
  const auto overflows = half_pack::half_pack (values.data (), std::ssize (values), truth.data ());
  OpenclPacker packer (device, setting, problem);
  bool same = false;
  compute (device, std::as_bytes (std::span (values)), std::as_writable_bytes (std::span (got)),
           [&] (auto &queue, auto &in, auto &out) {
             packer.enqueue (queue, in, std::ssize (values), out);
             same = packer.overflows (queue) == overflows;
           });
  return same ? share_different (std::as_bytes (std::span (got)), std::as_bytes (std::span (truth))) : 1;
}

} // namespace

const Family &family ()
{
  static const Family all{
      .name = "half-pack",
      .kernels = {point_kernel ("opencl", "OpenCL kernel", {"half-pack/half-pack.cl", opencl::opencl_source})},
      .any_lanes = true,
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = {1, 1000, {}},
      .trial = trial_error,
      .most_error = 0};
  return all;
}

} // namespace sino::half_pack
