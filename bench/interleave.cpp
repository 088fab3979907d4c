// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/text.hpp"
#include "bench/machine.hpp"
#include "bench/timing.hpp"
#include "bench/truth.hpp"
#include "families/kernels.hpp"
#include "run/task-harness.hpp"

namespace sino::bench {

namespace {

// Copies value by value, with the same number of threads.
void plain (const Cpu &cpu, const Scan &scan, std::vector<Block> &sinograms)
{
  for (auto &out : sinograms)
    cpu.parallel (out.angles ().size (), 1, [&] (int64_t begin, int64_t end) {
      for (auto angle = begin; angle < end; angle++)
        for (int64_t row = 0; row < out.rows ().size (); row++)
          for (int64_t column = 0; column < out.line (); column++)
            out.as<float> ()[out.offset (angle, row) + column * out.lanes ()] =
                scan.value (angle, out.rows ().at (row), column);
    });
}

// Returns 0, unless a value is in the wrong place.
double error_of (const Scan &scan, const std::vector<Block> &sinograms)
{
  RelativeError error;
  for (const auto &block : sinograms)
    for (int64_t angle = 0; angle < block.angles ().size (); angle++)
      for (int64_t row = 0; row < block.rows ().size (); row++)
        for (int64_t column = 0; column < block.line (); column++)
          error.add (block.as<float> ()[block.offset (angle, row) + column * block.lanes ()],
                     scan.value (angle, block.rows ().at (row), column));
  return error.value ();
}

} // namespace

void bench_interleave (const BenchOptions &options, Report &report)
{
  require_memory (options, 4.0 * static_cast<double> (options.size * options.slices * options.projections));
  const auto scan = simulated_scan (options, false);
  const auto task = make_task ("interleave"), consumer = make_task ("back-project");
  const auto sinograms_format = task->negotiate (std::vector{scan.format.get ()});
  consumer->negotiate (std::vector{&sinograms_format});
  const auto lanes = consumer->wanted_lanes (*options.device, 1);
  TaskHarness pack (*task, {scan.format},
                    {.device = options.device.get (), .threads = options.threads, .lanes = 0, .wanted = lanes});
  auto sinograms = pack.output_blocks (scan.rows ());
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  const auto reference = measure (options.runs, [&] { plain (cpu, scan, sinograms); });
  const auto timing = measure (options.runs, [&] { pack.run ({scan.blocks}, sinograms); });
  const auto moved = 2e-9 * scan.format->bytes (), rate = moved / timing.median,
             by_cpu = moved * options.threads / timing.cpu;
  const auto copy = 1e-9 * measure_copy (options.threads);
  const auto error = error_of (scan, sinograms);

  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT " rows of %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT
                         " columns, float32, into %s",
                         options.slices, options.projections, options.size, families::lanes_text (lanes).c_str ()));
  report_scan (options, report);
  report.integer ("lanes", lanes);
  report_timing (timing, options.runs, report);
  report.figure ("gigabytes_per_second", rate, "speed", " GB/s", "read and written");
  report.figure ("gigabytes_per_second_by_cpu_time", by_cpu, "by CPU time", " GB/s",
                 "as if each thread had its own core");
  report.number ("ms_per_slice", 1e3 * timing.median / static_cast<double> (options.slices));
  report.figure ("copy_gigabytes_per_second", copy, "plain copy", " GB/s",
                 text ("%.0f %% of it reached by CPU time", 100 * by_cpu / copy));
  report.figure ("relative_rmse", error, "relative RMSE", "", "all values compared");
  report.figure ("ratio", reference.median / timing.median, "ratio", "",
                 text ("to plain loops of %s GB/s", digits (moved / reference.median).c_str ()));
}

} // namespace sino::bench
