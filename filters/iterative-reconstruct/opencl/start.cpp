// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/start.hpp"
#include "device/opencl-memory.hpp"
#include "filters/iterative-reconstruct/opencl/plan.hpp"

namespace sino::iterative_reconstruct {

using fourier_reconstruct::Gridder, fourier_reconstruct::Gridding;

static Gridding with_filter (Gridding gridding, const Responses &responses)
{
  gridding.response = responses.of_filter;
  return gridding;
}

DeviceStart::DeviceStart (const fourier_reconstruct::Reconstructing &how, const OpenclQueues &queues,
                          const Responses &responses)
    : count (how.plan->gridding.padded / 2 + 1), gridder (how, queues, with_filter (how.plan->gridding, responses)),
      of_adjoint (take_table (how.device, how.memory, buffers::adjoint, responses.of_adjoint))
{
}

Gridder::Span DeviceStart::adjoint (const cl::Buffer &bins, const cl::Buffer &dense, int lane, int slices)
{
  gridder.kernels ().respond (of_adjoint, count);
  return gridder.run (bins, dense, lane, slices, 0);
}

Gridder::Span DeviceStart::filtered (const cl::Buffer &bins, const cl::Buffer &dense, int lane, int slices)
{
  gridder.kernels ().respond ();
  return gridder.run (bins, dense, lane, slices, 0);
}

} // namespace sino::iterative_reconstruct
