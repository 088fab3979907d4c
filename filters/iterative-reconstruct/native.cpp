// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/native.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include "filters/iterative-reconstruct/solver.hpp"
#include "filters/iterative-reconstruct/strengths-worker.hpp"
#include "filters/iterative-reconstruct/windows.hpp"
#include "filters/slice/worker.hpp"

namespace sino::iterative_reconstruct {

namespace {

// A slice for each row.
class RowsWorker final : public slice::SliceWorker
{
public:
  RowsWorker (const Replica &replica, const Problem &p)
      : problem (p), watch{&replica.monitor, &replica.counters}, solver (replica, p)
  {
  }

  void end () override { solver.end (); }

protected:
  void reconstruct (const Block &in, size_t offset, std::span<const Slice> group) override
  {
    const auto lanes = static_cast<size_t> (std::min (in.lanes (), iterate::stack_lanes ()));
    const auto *bins = reinterpret_cast<const float *> (in.data () + offset);
    for (size_t first = 0; first < group.size (); first += lanes) {
      const auto some = group.subspan (first, std::min (lanes, group.size () - first));
      std::vector<float *> slices;
      for (const auto &slice : some)
        slices.push_back (slice.block ? slice.block->as<float> () + slice.offset / sizeof (float) : nullptr);
      const auto known = known_noise (problem, in.format (),
                                      rows_of (in, offset, static_cast<int64_t> (first), std::ssize (some)), watch);
      const StackInput input{problem.sinograms (bins + first, in.lanes (), static_cast<int> (some.size ()), known)};
      solver.solve ({&input, 1}, problem.solving.strengths, {0, std::ssize (some)});
      solver.give (0, slices);
    }
  }

private:
  const Problem &problem;
  const Frames::Watch watch;
  Solver solver;
};

// A slice for each strength, all of one row. A stack is solved when its first slice is wanted.
class NativeStrengthsWorker final : public StrengthsWorker
{
public:
  NativeStrengthsWorker (const Replica &replica, const Problem &p)
      : StrengthsWorker (p.row), problem (p), watch{&replica.monitor, &replica.counters}, solver (replica, p)
  {
  }

  void end () override { solver.end (); }

protected:
  void fill (const Block &sinogram, Block &out) override
  {
    for (int64_t i = 0; i < out.rows ().size (); i++)
      make (sinogram, static_cast<size_t> (out.rows ().at (i)), out.as<float> () + out.offset (0, i));
  }

private:
  const Problem &problem;
  const Frames::Watch watch;
  Solver solver;
  size_t solved = SIZE_MAX; // the first number of the stack

  void make (const Block &sinogram, size_t number, float *slice)
  {
    const auto lanes = static_cast<size_t> (iterate::stack_lanes ());
    if (const auto first = number / lanes * lanes; first != solved) {
      const std::span all (problem.solving.strengths);
      const auto *values = sinogram.as<float> () + sinogram.offset (0, sinogram.rows ().place (row));
      const auto known = known_noise (problem, sinogram.format (), {row}, watch);
      const StackInput input{problem.sinograms (values, 1, 1, known)};
      const auto some = all.subspan (first, std::min (lanes, all.size () - first));
      solver.solve ({&input, 1}, some, {0, std::ssize (some)});
      solved = first;
    }
    std::vector<float *> slices (number - solved, nullptr);
    slices.push_back (slice);
    solver.give (0, slices);
  }
};

} // namespace

std::unique_ptr<Worker> native_worker (const Replica &replica, const Problem &problem)
{
  if (problem.solving.tries ())
    return std::make_unique<NativeStrengthsWorker> (replica, problem);
  if (problem.solving.deep)
    return windows_worker (replica, problem);
  return std::make_unique<RowsWorker> (replica, problem);
}

void native_memory (const Problem &problem, int threads, int lanes, Bill &bill)
{
  Solver::memory (problem, threads, lanes, bill);
}

} // namespace sino::iterative_reconstruct
