// SPDX-License-Identifier: LGPL-3.0-or-later
// Fourier transforms on OpenCL devices, by clFFT. Nothing of it is touched before the first is made.
#pragma once
#include "device/opencl.hpp"

namespace sino {

// A complex transform of many rows at once, unnormalised. Handles: those of the same device, length and number of rows
// share one plan, which the first of them bakes (its kernels are compiled, which takes up to seconds) and the last of
// them drops. A row's bits do not depend on the rows beside it. Calls are safe from any thread.
class SINO_VISIBLE OpenclFft
{
public:
  static constexpr int64_t longest = 1 << 24; // the longest that clFFT takes

  OpenclFft (const OpenclDevice &device, int64_t length, int64_t rows);

  // Bytes of the buffer that the transforms use meanwhile; 0: they need none.
  size_t scratch () const;
  // The same for each row, however many there are: up to 2.6 times the row, as clFFT pads what it transposes.
  static size_t scratch_of_row (const OpenclDevice &device, int64_t length);

  // [rows][length] complex values, in place. `scratch` may be null where it has no bytes. Enqueued, not waited for, and
  // meant for a queue that keeps its order.
  void forward (const cl::CommandQueue &queue, const cl::Buffer &values, const cl::Buffer &scratch) const;
  void backward (const cl::CommandQueue &queue, const cl::Buffer &values, const cl::Buffer &scratch) const;

private:
  class Plan;
  std::shared_ptr<const Plan> plan;
};

} // namespace sino
