// SPDX-License-Identifier: LGPL-3.0-or-later
// Buffers into which kernels write slices, and their transfer to blocks.
#pragma once
#include "device/opencl-memory.hpp"
#include "kernels/back-project/back-project.hpp"
#include <span>

namespace sino::slice {

class OpenclFrames
{
public:
  using Roi = back_project::Roi;

  // Memory needed. `output_reached`: bytes of the output block if the device reaches it directly, else 0.
  static void memory (const Roi &frame, const Roi &slice, int frames, size_t output_reached, Bill &bill);

  // Kernels fill frames, each a part of the full slice, one after the other. A slice is a part of its frame.
  OpenclFrames (OpenclQueues &queues, const Roi &frame, const Roi &slice, Allotment &allotment);

  // Returns the buffer to fill: the slices' block if kernels can write to it, else a buffer for `frames` frames. Slices
  // without a place are computed, too, and dropped.
  const cl::Buffer &take (std::span<const MemoryPiece> slices, int frames);
  // Copies slices to their places after the last kernel, `computed`. Does not wait for slices in shared memory.
  void finish (std::span<const MemoryPiece> slices, const cl::Event &computed);

private:
  OpenclQueues &queues;
  const Roi frame, slice;
  Staging staging;
  cl::Buffer current;
  bool staged = false;

  std::optional<cl::Buffer> in_place (std::span<const MemoryPiece> slices) const;
  void bring (std::span<const MemoryPiece> slices, const cl::Event &computed);
};

} // namespace sino::slice
