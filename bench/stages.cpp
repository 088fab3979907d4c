// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/stages.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::bench {

fourier_reconstruct::StageTimes measure_stages (const BenchOptions &options, const Block &in)
{
  std::vector<fourier_reconstruct::Ray> rays;
  for (int64_t i = 0; i < options.projections; i++) {
    const auto angle = std::numbers::pi * static_cast<double> (i) / static_cast<double> (options.projections);
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * static_cast<double> (options.size) - 0.5, 1});
  }
  double accuracy = 1e-3;
  parse_number (options.accuracy, accuracy);
  const fourier_reconstruct::Job job{.size = options.size,
                                     .rays = rays,
                                     .filter = {ramp_filter::Window::ram_lak, 1, 2, 1.5, 1},
                                     .edge = false,
                                     .halves = options.precision == "half-storage",
                                     .width = fourier_reconstruct::width_for (accuracy),
                                     .mask = false,
                                     .roi = {.x = 0, .y = 0, .width = options.size, .height = options.size}};
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  fourier_reconstruct::StackPlan stack (job);
  stack.gridding.set_filter (job.filter, [&] (int64_t n, const auto &body) { cpu.parallel (n, 64, body); });
  Bill bill, of_thread;
  fourier_reconstruct::Reconstructor::memory (stack, bill, of_thread);
  add_for_each (bill, of_thread, static_cast<size_t> (cpu.threads ()));
  Allotment memory (bill);
  fourier_reconstruct::Reconstructor reconstructor (stack, memory);
  const auto lanes = std::min (in.lanes (), fourier_reconstruct::stack_lanes ());
  std::vector<std::vector<float>> slices (static_cast<size_t> (lanes));
  std::vector<float *> pointers;
  for (auto &slice : slices) {
    slice.resize (static_cast<size_t> (options.size * options.size));
    pointers.push_back (slice.data ());
  }
  const auto run = [&] { reconstructor.run (cpu, monitor, {in.as<float> (), in.lanes (), lanes}, pointers); };
  run ();
  const auto warm = reconstructor.times ();
  for (int i = 0; i < options.runs; i++)
    run ();
  const auto &all = reconstructor.times ();
  const auto share = [&] (double after, double before) {
    const auto real = std::min<double> (lanes, static_cast<double> (options.slices));
    return (after - before) / (options.runs * real * options.threads);
  };
  return {.rays = share (all.rays, warm.rays),
          .spreading = share (all.spreading, warm.spreading),
          .centres = share (all.centres, warm.centres),
          .lines = share (all.lines, warm.lines),
          .rows = share (all.rows, warm.rows)};
}

} // namespace sino::bench
