// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/text.hpp"
#include "bench/timing.hpp"
#include "bench/truth.hpp"
#include "device/fft.hpp"
#include "kernels/ramp-filter/plain.hpp"
#include "kernels/ramp-filter/response.hpp"
#include "run/task-harness.hpp"
#include <algorithm>
#include <bit>

namespace sino::bench {

namespace {

// Rows per second of a textbook FFT, with the same number of threads.
double plain_rate (const Scan &scan, const BenchOptions &options)
{
  const auto length = static_cast<int64_t> (std::bit_ceil (static_cast<uint64_t> (2 * options.size)));
  const ramp_filter::Ramp ramp (length);
  std::vector<float> response;
  for (int64_t k = 0; k <= length / 2; k++)
    response.push_back (static_cast<float> (ramp.at (k)));
  const ramp_filter::PlainFilter filter (response);
  const auto rows = std::min<int64_t> (32 * options.threads, scan.blocks[0].values () / options.size);
  std::vector<float> out (static_cast<size_t> (rows * options.size));
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  const auto columns = static_cast<size_t> (options.size);
  const auto timing = measure (options.runs, [&] {
    cpu.parallel (rows, 4, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        filter.run ({scan.blocks[0].as<float> () + i * options.size, columns},
                    {out.data () + i * options.size, columns});
    });
  });
  return static_cast<double> (rows) / timing.median;
}

} // namespace

void bench_ramp_filter (const BenchOptions &options, Report &report)
{
  require_memory (options, 4.0 * static_cast<double> (options.size * options.slices * options.projections));
  const auto least = 2 * options.size;
  const auto task = make_task ("ramp-filter", {{"padding", text ("%" G_GINT64_FORMAT, least)}});
  const auto scan = simulated_scan (options, false);
  TaskHarness filter (*task, {scan.format}, {options.device.get (), options.threads});
  const auto filtered = filter.output_blocks (scan.rows (), batch);
  const auto timing = measure (options.runs, [&] { filter.run ({scan.blocks}, filtered); });
  const auto rows = static_cast<double> (options.projections * options.slices);
  const auto rate = rows / timing.median, reference = plain_rate (scan, options);
  const auto error = filter_error (scan, filtered);
  const auto length = Fft::good_even_length (least);

  report_place (options, report);
  report.headline (text ("%.0f rows of %" G_GINT64_FORMAT " columns, transforms of length %" G_GINT64_FORMAT, rows,
                         options.size, length));
  report_scan (options, report);
  report.integer ("length", length);
  report_timing (timing, options.runs, report);
  report.number ("rows_per_second", rate);
  report.row ({"speed", digits (1e-3 * rate) + " k rows/s"});
  const auto by_cpu = rows * options.threads / timing.cpu;
  report.number ("rows_per_second_by_cpu_time", by_cpu);
  report.row ({"by CPU time", digits (1e-3 * by_cpu) + " k rows/s", "as if each thread had its own core"});
  report.figure ("ms_per_slice", 1e3 * timing.median / static_cast<double> (options.slices), "per slice", " ms");
  report.figure ("relative_rmse", error, "relative RMSE", "", "from a convolution in float64");
  report.number ("reference_rows_per_second", reference);
  report.figure ("ratio", rate / reference, "ratio", "",
                 text ("to the reference transform's %s k rows/s", digits (1e-3 * reference).c_str ()));
}

} // namespace sino::bench
