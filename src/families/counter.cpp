// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/counter.hpp"

namespace sino::families {

KernelCounter::KernelCounter (const OpenclDevice &d) : device (d)
{
  device.attempt ([&] {
    cl_ulong none = 0;
    memory = cl::Buffer (device.context (), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof none, &none);
  });
}

int64_t KernelCounter::take (const cl::CommandQueue &queue)
{
  return device.attempt ([&] {
    cl_uint2 count;
    queue.enqueueReadBuffer (memory, CL_TRUE, 0, sizeof count, &count);
    const cl_uint2 none{};
    if (count.s[0] > 0 || count.s[1] > 0)
      queue.enqueueWriteBuffer (memory, CL_TRUE, 0, sizeof none, &none);
    return static_cast<int64_t> (count.s[1]) << 32 | static_cast<int64_t> (count.s[0]);
  });
}

} // namespace sino::families
