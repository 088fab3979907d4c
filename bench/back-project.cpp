// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection of a stack in memory: projections are packed into lanes, and back-projected into slices.
#include "base/text.hpp"
#include "bench/machine.hpp"
#include "bench/stack.hpp"
#include "bench/timing.hpp"
#include "bench/truth.hpp"
#include "families/kernels.hpp"
#include "kernels/back-project/plain.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::bench {

namespace {

std::vector<back_project::Ray> rays_of (const Scan &scan)
{
  std::vector<back_project::Ray> rays;
  const auto &angles = scan.format->geometry->angles;
  for (const auto angle : angles)
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * static_cast<double> (scan.format->line ()) - 0.5,
                     static_cast<float> (std::numbers::pi / static_cast<double> (angles.size ()))});
  return rays;
}

back_project::Job job_of (const BenchOptions &options, int lanes, std::span<const back_project::Ray> rays)
{
  using back_project::Interpolation, back_project::Precision;
  const auto precision = [&] {
    const auto &word = options.precision;
    return word == "half-storage"              ? Precision::half_storage
           : word == "half"                    ? Precision::half
           : word == "int16" || word == "auto" ? Precision::int16
                                               : Precision::single;
  };
  const auto interpolation = options.interpolation == "nearest"      ? Interpolation::nearest
                             : options.interpolation == "oversample" ? Interpolation::oversample
                                                                     : Interpolation::linear;
  const bool linear = interpolation == Interpolation::linear;
  return {.bins = nullptr,
          .half = false,
          .lanes = lanes,
          .size = options.size,
          .rays = rays,
          .interpolation = interpolation,
          .precision = options.precision == "auto" && !linear ? Precision::single : precision (),
          .mask = false,
          .roi = {.x = 0, .y = 0, .width = options.size, .height = options.size}};
}

// GUPS of simple loops over some rows of a slice, with the same number of threads.
double plain_gups (const Scan &scan, const BenchOptions &options)
{
  const auto rays = rays_of (scan);
  std::vector<float> bins;
  for (int64_t k = 0; k < options.projections; k++)
    for (int64_t column = 0; column < options.size; column++)
      bins.push_back (scan.value (k, 0, column));
  auto job = job_of (options, 1, rays);
  job.bins = bins.data ();
  const auto rows = std::min<int64_t> (options.size, std::max (16, 4 * options.threads));
  std::vector<float> out (static_cast<size_t> (rows * options.size));
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  const auto timing = measure (options.runs, [&] {
    cpu.parallel (rows, 1, [&] (int64_t begin, int64_t end) {
      const auto first = (options.size - rows) / 2; // in the middle, where all rays hit the detector
      back_project::plain (job, first + begin, first + end, out.data () + begin * options.size);
    });
  });
  return 1e-9 * static_cast<double> (rows * options.size * options.projections) / timing.median;
}

// GUPS of the reference kernel, which runs on all devices of a kind.
double reference_gups (const Scan &scan, const BenchOptions &options)
{
  if (options.device->kind == Device::Kind::native)
    return plain_gups (scan, options);
  BenchStack stack (scan, options, {{"interpolation", options.interpolation}, {"variant", "reference"}});
  return 1e-9 * stack.updates () / measure (options.runs, [&] { stack.run (); }).median;
}

// Reports the roofline. `gups`: measured speed by CPU time, like the peaks.
void report_roof (const BenchOptions &options, int lanes, double gups, Report &report)
{
  const std::vector<back_project::Ray> none;
  const auto cost = back_project::cost_of (job_of (options, lanes, none), options.projections, peaks::vector_bytes ());
  const auto roof = roof_of (cost, options.threads);
  report.literal ("roofline", text ("{\"gups\": %s, \"bound_by\": \"%s\"}", json_number (roof.gups).c_str (),
                                    roof.bound_by.c_str ()));
  report.row (
      {"roofline", digits (roof.gups) + " GUPS",
       text ("bound by %s; %.0f %% of it reached by CPU time", roof.bound_by.c_str (), 100 * gups / roof.gups)});
}

} // namespace

void bench_back_project (const BenchOptions &options, Report &report)
{
  // Bytes of projections, their copy in lanes, stored kernel input, and slices.
  require_memory (options, 4.0 * static_cast<double> (options.size * options.slices) *
                               static_cast<double> (options.projections + options.size) * 1.1);
  const auto scan = simulated_scan (options, true);
  BenchStack stack (scan, options, {{"precision", options.precision}, {"interpolation", options.interpolation}});
  const auto timing = measure (
      options.runs, [&] { stack.run (); }, options.device);
  const auto gups = 1e-9 * stack.updates () / timing.median;
  const auto reference = reference_gups (scan, options);
  const auto error = slices_error (scan, stack.slices);

  report_place (options, report);
  report.headline (scan_text (options) + ", " + options.precision + ", " + options.interpolation + ", " +
                   families::lanes_text (stack.lanes ()));
  report_scan (options, report);
  report.word ("precision", options.precision);
  report.word ("interpolation", options.interpolation);
  report.integer ("lanes", stack.lanes ());
  const auto kernel = stack.remark (*options.device);
  report.word ("kernel", kernel);
  report.headline (kernel);
  report_timing (timing, options.runs, report);
  report.duration ("packing_seconds", stack.packing_seconds (), "of that packing", "projections into lanes");
  report_speed (timing.median, options, options.projections, report);
  report_energy (timing, options, report);
  const auto by_cpu = gups * timing.median * options.threads / timing.cpu;
  report.figure ("gups_by_cpu_time", by_cpu, "by CPU time", " GUPS", "as if each thread had its own core");
  report.figure ("relative_rmse", error, "relative RMSE", "", "from linear interpolation in float64");
  report.number ("reference_gups", reference);
  report.figure ("ratio", gups / reference, "ratio", "",
                 text ("to the reference kernel's %s GUPS", digits (reference).c_str ()));
  if (options.device->kind == Device::Kind::native)
    report_roof (options, stack.lanes (), by_cpu, report);
}

} // namespace sino::bench
