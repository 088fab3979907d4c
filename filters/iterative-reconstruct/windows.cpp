// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/windows.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include "filters/iterative-reconstruct/solver.hpp"
#include <deque>

namespace sino::iterative_reconstruct {

namespace {

// Slices `inside` are results; `solved` are those that are solved with them.
struct Window {
  Rows inside, solved;

  Window (int64_t number, int64_t rows)
  {
    const auto begin = number * window_slices, end = begin + window_slices;
    const Rows all{0, rows};
    inside = all.meet ({begin, end});
    solved = all.meet ({begin - window_halo, end + window_halo});
  }
};

class WindowsWorker final : public Worker
{
public:
  WindowsWorker (const Replica &replica, const Problem &p)
      : problem (p), watch{&replica.monitor, &replica.counters}, rows (replica.inputs[0]->rows ()), solver (replica, p)
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    std::vector<Block> sinograms;
    while (Block in = inputs[0]->pop ())
      sinograms.push_back (std::move (in));
    auto slices = output->all ();
    const Rows wanted = output->rows ();
    for (auto number = wanted.begin / window_slices; number * window_slices < wanted.end; number++) {
      const Window window (number, rows);
      solve (window, sinograms);
      give (window, slices);
    }
    output->push_all (slices);
  }
  void end () override { solver.end (); }

private:
  const Problem &problem;
  const Frames::Watch watch;
  const int64_t rows;
  Solver solver;
  std::deque<std::vector<iterate::ValueNoise>> noise; // of the rows of a window

  void solve (const Window &window, std::span<const Block> sinograms)
  {
    const int64_t lanes = iterate::stack_lanes ();
    std::vector<StackInput> inputs;
    noise.clear ();
    for (auto row = window.solved.begin; row < window.solved.end; row += lanes)
      inputs.push_back (input_of ({row, std::min (row + lanes, window.solved.end)}, sinograms));
    const auto before = window.inside.begin - window.solved.begin;
    solver.solve (inputs, problem.solving.strengths, {before, before + window.inside.size ()});
  }

  // The sinograms of a stack, as they lie side by side in blocks.
  StackInput input_of (const Rows &wanted, std::span<const Block> sinograms)
  {
    StackInput input;
    for (const auto &block : sinograms)
      for (int64_t first = 0; first < block.rows ().size (); first += block.lanes ()) {
        const auto begin = block.rows ().at (first);
        const auto some = wanted.meet ({begin, std::min<int64_t> (begin + block.lanes (), block.rows ().end)});
        if (some.empty ())
          continue;
        std::vector<int64_t> numbers;
        for (auto row = some.begin; row < some.end; row++)
          numbers.push_back (row);
        noise.push_back (known_noise (problem, block.format (), numbers, watch));
        input.push_back (problem.sinograms (block.as<float> () + block.offset (0, first) + (some.begin - begin),
                                            block.lanes (), static_cast<int> (some.size ()), noise.back ()));
      }
    return input;
  }

  void give (const Window &window, std::span<Block> blocks)
  {
    const int64_t lanes = iterate::stack_lanes ();
    for (size_t stack = 0; stack < static_cast<size_t> (problem.stacks ()); stack++) {
      std::vector<float *> slices (static_cast<size_t> (lanes), nullptr);
      for (size_t lane = 0; lane < slices.size (); lane++) {
        const auto row = window.solved.begin + static_cast<int64_t> (stack) * lanes + static_cast<int64_t> (lane);
        for (auto &block : blocks)
          if (window.inside.place (row) >= 0 && block.rows ().place (row) >= 0)
            slices[lane] = block.as<float> () + block.offset (0, block.rows ().place (row));
      }
      if (std::ranges::any_of (slices, [] (const float *slice) { return slice != nullptr; }))
        solver.give (stack, slices);
    }
  }
};

} // namespace

Rows rows_of_windows (const Rows &wanted, int64_t rows)
{
  if (wanted.empty ())
    return wanted;
  const Window first (wanted.begin / window_slices, rows), last ((wanted.end - 1) / window_slices, rows);
  return {first.solved.begin, last.solved.end};
}

int64_t window_size (int64_t rows)
{
  return std::min (rows, window_slices + 2 * window_halo);
}

int64_t slices_of_windows (int64_t rows)
{
  int64_t slices = 0;
  for (int64_t number = 0; number * window_slices < rows; number++)
    slices += Window (number, rows).solved.size ();
  return slices;
}

std::unique_ptr<Worker> windows_worker (const Replica &replica, const Problem &problem)
{
  return std::make_unique<WindowsWorker> (replica, problem);
}

} // namespace sino::iterative_reconstruct
