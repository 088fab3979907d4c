// SPDX-License-Identifier: LGPL-3.0-or-later
// What workers have in common that make a slice for each strength, all of one row.
#pragma once
#include "glue/task.hpp"

namespace sino::iterative_reconstruct {

class StrengthsWorker : public Worker
{
public:
  explicit StrengthsWorker (int64_t r) : row (r) {}

  void run (std::span<Input *const> inputs, Output *output) final
  {
    Block sinogram;
    while (Block in = inputs[0]->pop ())
      if (in.rows ().place (row) >= 0)
        sinogram = std::move (in);
    while (Block out = output->next ()) {
      fill (sinogram, out);
      output->push (std::move (out));
    }
  }

protected:
  const int64_t row; // of the stream

  // `sinogram`: the block with the row; `out`: slices, whose rows are the numbers of strengths.
  virtual void fill (const Block &sinogram, Block &out) = 0;
};

} // namespace sino::iterative_reconstruct
