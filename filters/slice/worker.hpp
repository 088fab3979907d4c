// SPDX-License-Identifier: LGPL-3.0-or-later
// Base class of workers that reconstruct blocks of sinograms into blocks of slices. Derived classes compute on a
// device.
#pragma once
#include "glue/task.hpp"

namespace sino::slice {

class SliceWorker : public Worker
{
public:
  // A dense slice to fill. Without a block: the slice of this row is not wanted.
  struct Slice {
    Block *block;
    size_t offset; // bytes
  };

  void run (std::span<Input *const> inputs, Output *output) final;

protected:
  // Called before the blocks of a work item are taken; may wait until they are full.
  virtual void foresee (Input &, Output &) {}
  // Fills the slices of one group of lanes, one for each row of the group. `offset`: byte of `in` where the group
  // begins.
  virtual void reconstruct (const Block &in, size_t offset, std::span<const Slice> slices) = 0;

  // Rows in the stream of `count` sinograms of that group, from the one in lane `first` on.
  static std::vector<int64_t> rows_of (const Block &in, size_t offset, int64_t first, int64_t count);
};

} // namespace sino::slice
