// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/strengths.hpp"
#include "filters/iterative-reconstruct/strengths-worker.hpp"

namespace sino::iterative_reconstruct {

namespace {

// A batch is solved when its first slice is wanted.
class OpenclStrengthsWorker final : public StrengthsWorker
{
public:
  OpenclStrengthsWorker (const Replica &replica, const Reconstructing &how)
      : StrengthsWorker (how.plan->problem.row), at_once (how.batch.slices), kernels (replica, how)
  {
  }

  void wait () override { kernels.wait (); }
  void end () override { kernels.end (); }

protected:
  void fill (const Block &sinogram, Block &out) override
  {
    const auto &numbers = out.rows ();
    for (int64_t i = 0; i < numbers.size ();) {
      const auto first = numbers.at (i) / at_once * at_once;
      if (first != solved) {
        kernels.look_at (sinogram.format (), {row});
        kernels.solve_strengths ({sinogram, bytes_to (sinogram, sinogram.rows ().place (row))},
                                 static_cast<int> (first));
      }
      solved = first;
      std::vector<MemoryPiece> places;
      for (; i < numbers.size () && numbers.at (i) < first + at_once; i++) {
        places.resize (static_cast<size_t> (numbers.at (i) - first), MemoryPiece (nullptr));
        places.emplace_back (out, bytes_to (out, i));
      }
      kernels.give (places);
    }
  }

private:
  const int64_t at_once;
  OpenclReconstruction kernels;
  int64_t solved = -1; // the first number of the batch

  static size_t bytes_to (const Block &block, int64_t place)
  {
    return static_cast<size_t> (block.offset (0, place)) * sizeof (float);
  }
};

} // namespace

std::unique_ptr<Worker> opencl_strengths_worker (const Replica &replica, const Reconstructing &how)
{
  return std::make_unique<OpenclStrengthsWorker> (replica, how);
}

} // namespace sino::iterative_reconstruct
