// SPDX-License-Identifier: LGPL-3.0-or-later
// Where kernels put slices, and how these come to their blocks.
#pragma once
#include "device/opencl-memory.hpp"
#include "kernels/back-project/back-project.hpp"
#include <span>

namespace sino::slice {

class OpenclFrames
{
public:
  using Roi = back_project::Roi;

  // What this takes, given the bytes of the block that goes out where it is reached, else 0.
  static void memory (const Roi &frame, const Roi &slice, int frames, size_t output_reached, Bill &bill);

  // Kernels fill frames, a part of the full slice each, one after the other. Slices are a part of their frame.
  OpenclFrames (OpenclQueues &queues, const Roi &frame, const Roi &slice, Allotment &allotment);

  // Slices without a place are filled, too, and go nowhere.
  // The buffer that has to be filled: that of the slices' block where kernels can write it, else room for `frames`.
  const cl::Buffer &take (std::span<const MemoryPiece> slices, int frames);
  // After the last kernel that writes it: brings the slices to their places. Does not wait for those in shared memory.
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
