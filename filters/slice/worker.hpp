// SPDX-License-Identifier: LGPL-3.0-or-later
// A worker that makes blocks of slices of blocks of sinograms; what computes them is the device's.
#pragma once
#include "glue/task.hpp"

namespace sino::slice {

class SliceWorker : public Worker
{
public:
  // A dense slice that is to be filled. No block: the row came along, but nobody wants its slice.
  struct Slice {
    Block *block;
    size_t offset; // bytes
  };

  void run (std::span<Input *const> inputs, Output *output) final;

protected:
  // Fills the slices of one group of lanes, which begins at a byte of `in`: as many as there are rows in the group.
  virtual void reconstruct (const Block &in, size_t offset, std::span<const Slice> slices) = 0;
};

} // namespace sino::slice
