// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/half-pack/opencl-packer.hpp"
#include "families/program.hpp"

namespace sino::half_pack {

OpenclPacker::OpenclPacker (const OpenclDevice &d, const families::Setting &setting, const families::Problem &problem)
    : device (d), counter (d), group (setting.kernel->shape (setting, problem).group[0])
{
  device.attempt ([&] { kernel = cl::Kernel (families::build (device, setting, problem), "half_pack"); });
}

cl::Event OpenclPacker::enqueue (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t n, const cl::Buffer &out)
{
  return device.attempt ([&] {
    cl::Event event;
    kernel.setArg (0, in);
    kernel.setArg (1, static_cast<cl_ulong> (n));
    kernel.setArg (2, out);
    kernel.setArg (3, counter.buffer ());
    const auto items = round_up (static_cast<size_t> (n), group);
    queue.enqueueNDRangeKernel (kernel, cl::NullRange, items, group, nullptr, &event);
    return event;
  });
}

} // namespace sino::half_pack
