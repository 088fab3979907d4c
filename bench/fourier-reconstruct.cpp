// SPDX-License-Identifier: LGPL-3.0-or-later
// Fourier reconstruction of a stack in memory, from projections to slices; and back-projection for comparison in the
// same run.
#include "base/text.hpp"
#include "bench/stack.hpp"
#include "bench/stages.hpp"
#include "bench/timing.hpp"
#include "bench/truth.hpp"
#include "families/kernels.hpp"
#include <algorithm>

namespace sino::bench {

namespace {

// A window for which the exact result has a closed form; all windows take the same time.
Properties properties_of (const BenchOptions &options)
{
  Properties properties{{"window", "hann"}, {"precision", options.precision}};
  if (!options.accuracy.empty ())
    properties.emplace_back ("accuracy", options.accuracy);
  return properties;
}

struct Direct {
  double seconds, gups;
};

// Back-projection of sinograms without filtering, one or two stacks, including packing.
Direct measure_direct (const Scan &scan, const BenchOptions &options)
{
  BenchStack stack (scan, options, {});
  const auto timing = measure (std::min (options.runs, 3), [&] { stack.run (); });
  return {timing.median, 1e-9 * stack.updates () / timing.median};
}

void report_stages (const fourier_reconstruct::StageTimes &times, double packing, Report &report)
{
  std::vector<std::string> stages;
  const auto add = [&] (const char *key, double seconds, const char *what) {
    stages.push_back (text ("\"%s\": %s", key, json_number (1e3 * seconds).c_str ()));
    report.row ({"", digits (1e3 * seconds) + " ms", what});
  };
  add ("packing", packing, "packing of projections into lanes, included above");
  add ("rays", times.rays, "transforms of rows, filter");
  add ("spreading", times.spreading, "spreading over the grid");
  add ("centres", times.centres, "summing of the centre");
  add ("lines", times.lines, "transforms of the grid's lines");
  add ("rows", times.rows, "transforms across the lines, storing of slices");
  report.literal ("stages_ms_per_slice", "{" + join (stages) + "}");
}

} // namespace

void bench_fourier_reconstruct (const BenchOptions &options, Report &report)
{
  // Projections, their copy in lanes, slices, and intermediate data.
  const auto size = static_cast<double> (options.size), slices = static_cast<double> (options.slices);
  const auto between = 16 * 4 * (2 * 1.6 + 1) * size * size;
  require_memory (options, 4 * size * slices * (static_cast<double> (options.projections) + size) + between);
  const auto scan = simulated_scan (options, false);
  std::optional<BenchStack> stack (std::in_place, scan, options, properties_of (options), 0, "fourier-reconstruct");
  const auto timing = measure (
      options.runs, [&] { stack->run (); }, options.device);
  const auto error = exact_slices_error (scan, stack->slices);
  const auto kernel = stack->remark (*options.device);
  const auto lanes = stack->lanes ();

  report_place (options, report);
  report.headline (scan_text (options) + ", " + families::lanes_text (lanes));
  report_scan (options, report);
  report.integer ("lanes", lanes);
  report.word ("kernel", kernel);
  report.headline (kernel);
  report_timing (timing, options.runs, report);
  report_speed (timing.median, options, options.projections, report);
  report_energy (timing, options, report);
  if (options.device->kind == Device::Kind::native) {
    stack->slices.clear ();
    report_stages (measure_stages (options, stack->sinograms ()[0]), stack->packing_seconds () / slices, report);
  }
  stack.reset ();
  report.figure ("relative_rmse", error, "relative RMSE", "", "from exact interpolation in float64");
  const auto direct = measure_direct (scan, options);
  const auto ratio = direct.seconds / timing.median;
  report.number ("direct_seconds", direct.seconds);
  report.number ("direct_gups", direct.gups);
  report.number ("ratio", ratio);
  report.row ({"back-project", digits (direct.gups) + " GUPS",
               text ("%s ms per slice, not filtered", digits (1e3 * direct.seconds / slices).c_str ())});
  report.row ({"ratio", digits (ratio), "to back-project"});
}

} // namespace sino::bench
