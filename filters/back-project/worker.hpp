// SPDX-License-Identifier: LGPL-3.0-or-later
// From blocks of sinograms to blocks of slices; what computes them is the device's.
#pragma once
#include "back-project/back-project.hpp"
#include "glue/task.hpp"

namespace sino::back_project {

class SliceWorker : public Worker
{
public:
  // A dense slice that is to be filled.
  struct Slice {
    Block *block;
    size_t offset; // bytes
  };

  void run (std::span<Input *const> inputs, Output *output) final;

protected:
  // Fills the slices of one group of lanes, which begins at a byte of `in`: as many as there are rows in the group.
  virtual void reconstruct (const Block &in, size_t offset, std::span<const Slice> slices) = 0;
};

// What stays the same for a whole run; the rays live in the task.
// `tolerance`: slices whose relative root mean square error is above it are computed in single precision; 0: as the job
// says.
std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, double tolerance);

} // namespace sino::back_project
