// SPDX-License-Identifier: LGPL-3.0-or-later
// A stack in memory, from projections to slices, in Fourier space; and the same by back-projection in the same run.
#include "base/text.hpp"
#include "cli/bench/machine.hpp"
#include "cli/bench/stack.hpp"
#include "cli/bench/timing.hpp"
#include "cli/bench/truth.hpp"
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::cli {

namespace {

// A window for which the truth can be written down; none takes longer than others.
Properties properties_of (const BenchOptions &options)
{
  Properties properties{{"window", "hann"}};
  if (!options.accuracy.empty ())
    properties.emplace_back ("accuracy", options.accuracy);
  return properties;
}

struct Direct {
  double seconds, gups;
};

// Back-projection of sinograms, without the filter: a stack or two, with packing.
Direct measure_direct (const Scan &scan, const BenchOptions &options)
{
  Stack stack (scan, options, {});
  const auto timing = measure (std::min (options.runs, 3), [&] { stack.run (); });
  return {timing.median, 1e-9 * stack.updates () / timing.median};
}

// What the stages of the native kernel take, per slice, as if the threads were never idle.
fourier_reconstruct::StageTimes measure_stages (const BenchOptions &options, const Stack &packed)
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
                                     .width = fourier_reconstruct::width_for (accuracy),
                                     .mask = false,
                                     .roi = {0, 0, options.size, options.size}};
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  fourier_reconstruct::Stack stack (job);
  stack.gridding.set_filter (job.filter, [&] (int64_t n, const auto &body) { cpu.parallel (n, 64, body); });
  Bill bill, of_thread;
  fourier_reconstruct::Reconstructor::memory (stack, bill, of_thread);
  add_for_each (bill, of_thread, static_cast<size_t> (cpu.threads ()));
  Allotment memory (bill);
  fourier_reconstruct::Reconstructor reconstructor (stack, memory);
  const auto &in = packed.sinograms ()[0];
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
  return {share (all.rays, warm.rays), share (all.spreading, warm.spreading), share (all.centres, warm.centres),
          share (all.lines, warm.lines), share (all.rows, warm.rows)};
}

void report_stages (const fourier_reconstruct::StageTimes &times, double packing, Report &report)
{
  std::vector<std::string> stages;
  const auto add = [&] (const char *key, double seconds, const char *what) {
    stages.push_back (text ("\"%s\": %s", key, json_number (1e3 * seconds).c_str ()));
    report.row ({"", digits (1e3 * seconds) + " ms", what});
  };
  add ("packing", packing, "of that packing: projections into lanes");
  add ("rays", times.rays, "transforms of rows, filter");
  add ("spreading", times.spreading, "spreading over the grid");
  add ("centres", times.centres, "adding up the centre");
  add ("lines", times.lines, "transforms of the grid's lines");
  add ("rows", times.rows, "transforms across them, slices stored");
  report.literal ("stages_ms_per_slice", "{" + join (stages) + "}");
}

} // namespace

void bench_fourier_reconstruct (const BenchOptions &options, Report &report)
{
  // Projections, the same in lanes, slices, and what lies between them.
  const auto size = static_cast<double> (options.size), slices = static_cast<double> (options.slices);
  const auto between = 16 * 4 * (2 * 1.6 + 1) * size * size;
  require_memory (options, 4 * size * slices * (static_cast<double> (options.projections) + size) + between);
  const auto scan = simulated_scan (options, false);
  std::optional<Stack> stack (std::in_place, scan, options, properties_of (options), 0, "fourier-reconstruct");
  std::vector<double> packing;
  const auto timing = measure (
      options.runs,
      [&] {
        stack->run ();
        packing.push_back (stack->packing_seconds);
      },
      options.device);
  packing.erase (packing.begin ()); // the first one warmed up
  const auto error = exact_slices_error (scan, stack->slices);
  const auto kernel = stack->remark (*options.device);
  const auto lanes = stack->lanes ();

  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT " slices of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                         " from %" G_GINT64_FORMAT " projections, %d lane%s",
                         options.slices, options.size, options.size, options.projections, lanes,
                         lanes == 1 ? "" : "s"));
  report_scan (options, report);
  report.integer ("lanes", lanes);
  report.word ("kernel", kernel);
  report.headline (kernel);
  report_timing (timing, options.runs, report);
  report_speed (timing.median, options, report);
  report_energy (timing, options, report);
  if (options.device->kind == Device::Kind::native) {
    stack->slices.clear ();
    report_stages (measure_stages (options, *stack), median (packing) / slices, report);
  }
  stack.reset ();
  report.number ("relative_rmse", error);
  report.row ({"relative RMSE", digits (error), "from exact interpolation in float64"});
  const auto direct = measure_direct (scan, options);
  const auto ratio = direct.seconds / timing.median;
  report.number ("direct_seconds", direct.seconds);
  report.number ("direct_gups", direct.gups);
  report.number ("ratio", ratio);
  report.row ({"back-project", digits (direct.gups) + " GUPS",
               text ("%s ms per slice, not filtered", digits (1e3 * direct.seconds / slices).c_str ())});
  report.row ({"ratio", digits (ratio), "to back-project"});
}

} // namespace sino::cli
