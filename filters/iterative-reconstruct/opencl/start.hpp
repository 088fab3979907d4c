// SPDX-License-Identifier: LGPL-3.0-or-later
// What iterations on a device begin with, by gridding: c, and the slices of filtered back-projection.
#pragma once
#include "filters/fourier-reconstruct/opencl/gridder.hpp"
#include "filters/iterative-reconstruct/responses.hpp"

namespace sino::iterative_reconstruct {

class DeviceStart
{
public:
  // `how`: its plan is that of gridding_job ().
  DeviceStart (const fourier_reconstruct::Reconstructing &how, const OpenclQueues &queues, const Responses &responses);

  // Fill dense slices from number `lane` on, of `slices` in all.
  fourier_reconstruct::Gridder::Span adjoint (const cl::Buffer &bins, const cl::Buffer &dense, int lane, int slices);
  fourier_reconstruct::Gridder::Span filtered (const cl::Buffer &bins, const cl::Buffer &dense, int lane, int slices);

private:
  const int64_t count; // of frequencies of a ray
  fourier_reconstruct::Gridder gridder;
  cl::Buffer of_adjoint;
};

} // namespace sino::iterative_reconstruct
