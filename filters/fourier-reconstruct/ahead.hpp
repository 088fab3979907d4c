// SPDX-License-Identifier: LGPL-3.0-or-later
// Stacks whose rays are transformed and spread while projections come, by threads that have nothing else to do.
//
// The sums are those of Reconstructor::stages (), bit by bit: the batches of a sector come in order, and an odd sector
// comes after both of its neighbours. So a scan with rising angles leaves only its last sectors for the end, and one
// with angles in any order leaves nearly everything.
#pragma once
#include "glue/task.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"

namespace sino::fourier_reconstruct {

class Ahead
{
public:
  // `rows`: most rows in these stacks.
  Ahead (const Replica &replica, const StackPlan &plan, Reconstructor &reconstructor, int64_t rows);
  ~Ahead ();

  // Follows the sinograms of a work item until they are full, and begins their first stacks.
  void follow (Input &input);
  // The stack that was begun with these sinograms, which no other thread uses any more; null: there is none.
  std::shared_ptr<Reconstructor::Run> take (const float *bins);

private:
  class Work;
  const int64_t most_rows;
  std::unique_ptr<Work> work;
};

} // namespace sino::fourier_reconstruct
