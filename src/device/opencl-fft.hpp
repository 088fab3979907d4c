// SPDX-License-Identifier: LGPL-3.0-or-later
// Fourier transforms on OpenCL devices with clFFT, which is initialised for the first transform.
#pragma once
#include "device/opencl.hpp"

namespace sino {

// A complex transform of many rows at once, unnormalised. Objects for the same device, length and number of rows share
// one plan. The first object bakes it (compiles kernels, up to seconds), the last one frees it. The bits of a row do
// not depend on other rows. Calls are safe from any thread.
class SINO_VISIBLE OpenclFft
{
public:
  static constexpr int64_t longest = 1 << 24; // clFFT's limit

  OpenclFft (const OpenclDevice &device, int64_t length, int64_t rows);

  // Bytes of the scratch buffer for transforms; 0: none needed.
  size_t scratch () const;
  // Upper bound per row, for any number of rows: up to 2.6 times the row, because clFFT pads data that it transposes.
  static size_t scratch_of_row (const OpenclDevice &device, int64_t length);

  // Transforms [rows][length] complex values in place. `scratch` may be null if it needs no bytes. Enqueues without
  // waiting, on an in-order queue.
  void forward (const cl::CommandQueue &queue, const cl::Buffer &values, const cl::Buffer &scratch) const;
  void backward (const cl::CommandQueue &queue, const cl::Buffer &values, const cl::Buffer &scratch) const;

private:
  class Plan;
  std::shared_ptr<const Plan> plan;
};

} // namespace sino
