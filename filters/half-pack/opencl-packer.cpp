// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/half-pack/opencl-packer.hpp"
#include "families/program.hpp"

namespace sino::half_pack {

OpenclPacker::OpenclPacker (const OpenclDevice &d, const families::Setting &setting, const families::Problem &problem)
    : device (d), group (setting.kernel->shape (setting, problem).group[0])
{
  device.attempt ([&] {
    kernel = cl::Kernel (families::build (device, setting, problem), "half_pack");
    cl_ulong none = 0;
    counter = cl::Buffer (device.context (), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof none, &none);
  });
}

cl::Event OpenclPacker::enqueue (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t n, const cl::Buffer &out)
{
  return device.attempt ([&] {
    cl::Event event;
    kernel.setArg (0, in);
    kernel.setArg (1, static_cast<cl_ulong> (n));
    kernel.setArg (2, out);
    kernel.setArg (3, counter);
    const auto items = (static_cast<size_t> (n) + group - 1) / group * group;
    queue.enqueueNDRangeKernel (kernel, cl::NullRange, items, group, nullptr, &event);
    return event;
  });
}

int64_t OpenclPacker::overflows (const cl::CommandQueue &queue)
{
  return device.attempt ([&] {
    cl_uint2 count;
    queue.enqueueReadBuffer (counter, CL_TRUE, 0, sizeof count, &count);
    const cl_uint2 none{};
    if (count.s[0] > 0 || count.s[1] > 0)
      queue.enqueueWriteBuffer (counter, CL_TRUE, 0, sizeof none, &none);
    return static_cast<int64_t> (count.s[1]) << 32 | static_cast<int64_t> (count.s[0]);
  });
}

} // namespace sino::half_pack
