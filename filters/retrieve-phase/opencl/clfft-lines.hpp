// SPDX-License-Identifier: LGPL-3.0-or-later
// Phase retrieval with clFFT's transforms (steps.cl), one image at a time, for lengths that our own cannot do.
#pragma once
#include "device/opencl-fft.hpp"
#include "filters/retrieve-phase/opencl/retrieval.hpp"

namespace sino::retrieve_phase {

class ClfftLines final : public OpenclRetrieval
{
public:
  static void memory (const OpenclDevice &device, const Plane &plane, Bill &bill);

  explicit ClfftLines (const RetrievalSetup &setup);

  std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const Images &images) override;

private:
  const OpenclFft of_rows, of_columns;
  std::optional<OpenclFft> of_wanted; // transform of the rows of an output block
  int64_t wanted = 0;
  cl::Kernel lay, turn_to_columns, multiply, turn_to_rows, crop;
  cl::Buffer lines, columns, scratch;

  std::pair<cl::Event, cl::Event> retrieve (const cl::CommandQueue &queue, const Images &images, int64_t image);
};

} // namespace sino::retrieve_phase
