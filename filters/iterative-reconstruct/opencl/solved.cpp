// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/solved.hpp"
#include "filters/iterative-reconstruct/solver.hpp"

namespace sino::iterative_reconstruct {

namespace {

// What a worker runs with.
struct Surroundings {
  Monitor &monitor;
  Cpu cpu{1, monitor};
  Counters counters{};
  Messages messages{};
  Allotment memory;

  Surroundings (Monitor &m, const Bill &bill) : monitor (m), memory (bill) {}

  Replica on (const Device &device)
  {
    return {.device = device,
            .cpu = cpu,
            .monitor = monitor,
            .failed = {},
            .counters = counters,
            .messages = messages,
            .memory = memory,
            .inputs = {},
            .output = nullptr,
            .input_layouts = {},
            .output_layout = {}};
  }
};

Solved empty_slices (const Problem &problem, int rows)
{
  const auto pixels = static_cast<size_t> (problem.roi.width * problem.roi.height);
  return {.slices = std::vector (static_cast<size_t> (rows), std::vector<float> (pixels, -1)), .messages = {}};
}

} // namespace

Solved solve_on (const OpenclDevice &device, const families::Setting &setting, const Problem &problem,
                 const SomeRows &rows, Monitor &monitor, int most)
{
  auto solved = empty_slices (problem, rows.rows);
  std::vector<MemoryPiece> places;
  for (auto &slice : solved.slices)
    places.emplace_back (reinterpret_cast<std::byte *> (slice.data ()));
  const auto plan = std::make_shared<const OpenclPlan> (problem);
  const auto batch = batch_for (device, *plan, setting, std::min (rows.lanes, most));
  Bill bill;
  OpenclReconstruction::memory (device, *plan, rows.lanes, batch, 0, 0, bill);
  Surroundings around (monitor, bill);
  OpenclReconstruction reconstruction (around.on (device), {plan, rows.lanes, batch, setting});
  auto bins = rows.bins;
  reconstruction.run (reinterpret_cast<std::byte *> (bins.data ()), places);
  reconstruction.end ();
  solved.messages = around.messages.read ();
  return solved;
}

Solved solve_natively (const Problem &problem, const SomeRows &rows)
{
  auto solved = empty_slices (problem, rows.rows);
  const int whole = std::min (rows.lanes, iterate::stack_lanes ());
  Bill bill;
  Solver::memory (problem, 1, whole, bill);
  Monitor monitor;
  Surroundings around (monitor, bill);
  const Layout layout{.lanes = rows.lanes};
  auto replica = around.on (*native_device ());
  replica.input_layouts = {&layout, 1};
  Solver solver (replica, problem);
  for (int first = 0; first < rows.rows; first += whole) {
    std::vector<float *> to;
    for (int lane = first; lane < std::min (first + whole, rows.rows); lane++)
      to.push_back (solved.slices[static_cast<size_t> (lane)].data ());
    const StackInput input{problem.sinograms (rows.bins.data () + first, rows.lanes, static_cast<int> (to.size ()))};
    solver.solve ({&input, 1}, problem.solving.strengths, {0, std::ssize (to)});
    solver.give (0, to);
  }
  solver.end ();
  solved.messages = around.messages.read ();
  return solved;
}

} // namespace sino::iterative_reconstruct
