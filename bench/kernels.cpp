// SPDX-License-Identifier: LGPL-3.0-or-later
// Speed of all back-projection kernels on a device, for all numbers of lanes, measured by the device's clock, without
// transfers and packing.
#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/stack.hpp"
#include "bench/timing.hpp"
#include "bench/truth.hpp"
#include "cli/progress.hpp"
#include "device/devices.hpp"
#include "families/candidates.hpp"
#include "families/use.hpp"
#include <cmath>

namespace sino::bench {

using namespace cli;

namespace {

struct Measured {
  families::Candidate candidate;
  bool half;
  double gups = 0, error = 0;
  std::vector<families::Limit> limits;
  std::string fault;
};

Properties properties_of (const families::Candidate &candidate, const BenchOptions &options)
{
  return {{"variant", candidate.setting.kernel->name},
          {"variant-parameters", candidate.setting.parameters_text ()},
          {"interpolation", options.interpolation}};
}

void measure_kernel (Measured &kernel, const Scan &scan, const Scan &exact, const BenchOptions &options)
{
  BenchStack stack (scan, options, properties_of (kernel.candidate, options), kernel.candidate.lanes);
  std::vector<double> seconds;
  double before = 0;
  for (int run = 0; run <= options.runs; run++) {
    stack.run ();
    const double now = stack.kernel_seconds ();
    if (run > 0) // the first run was a warm-up
      seconds.push_back (now - before);
    before = now;
  }
  kernel.gups = 1e-9 * stack.updates () / median (seconds);
  kernel.error = slices_error (exact, stack.slices);
}

// Returns the last line of a message; errors of a choice list all attempts, one per line.
std::string last_line (const std::string &message)
{
  const auto end = message.rfind ('\n');
  return end == message.npos ? message : message.substr (message.find_first_not_of (" \n", end));
}

std::string shares (const Measured &kernel)
{
  return join (kernel.limits, ", ", [&] (const families::Limit &limit) {
    return text ("%.0f %% of %s", 100 * kernel.gups * 1e9 / limit.rate, limit.unit);
  });
}

std::string json_of (const std::vector<Measured> &kernels, double first)
{
  const auto list = join (kernels, ",", [&] (const Measured &kernel) {
    const auto limits = join (kernel.limits, ", ", [] (const families::Limit &limit) {
      return text ("\"%s\": %s", limit.unit, json_number (1e-9 * limit.rate).c_str ());
    });
    return text (
        "\n    {\"kernel\": \"%s\", \"lanes\": %d, \"half\": %s, \"gups\": %s, \"ratio\": %s, \"relative_rmse\": "
        "%s, \"limits\": {%s}}",
        kernel.candidate.text ().c_str (), kernel.candidate.lanes, kernel.half ? "true" : "false",
        json_number (kernel.gups).c_str (), json_number (kernel.gups / first).c_str (),
        json_number (kernel.error).c_str (), limits.c_str ());
  });
  return "[" + list + "]";
}

} // namespace

void bench_kernels (const BenchOptions &options, Report &report)
{
  const auto &device = *options.device;
  if (device.kind == Device::Kind::native)
    throw Error (SINO_ERROR_DEVICE, "these are OpenCL kernels: give --device=cl:0 or another of 'sinograph devices'; "
                                    "'bench back-project' measures the kernels of the CPU");
  const auto facts = facts_of (as_opencl (device));
  require_memory (options, 4.0 * static_cast<double> (options.size * options.slices) *
                               static_cast<double> (options.projections * 2 + options.size) * 1.1);
  const auto exact = simulated_scan (options, true), rounded = packed (exact, options.threads);
  std::vector<Measured> kernels;
  Bar bar;
  for (const bool half : {false, true}) {
    const auto &scan = half ? rounded : exact;
    const auto task = make_task ("back-project", {{"interpolation", options.interpolation}});
    const Format sinograms = make_task ("interleave")->negotiate (std::vector{scan.format.get ()});
    task->negotiate (std::vector{&sinograms});
    const auto &use = *task->kernels ();
    auto candidates = families::usual_candidates (use.family (), facts, use.problem ());
    std::erase_if (candidates, [] (const auto &candidate) {
      return candidate.lanes == 8 || candidate.lanes == 32;
    }); // their results would add no information
    for (size_t i = 0; i < candidates.size (); i++) {
      const auto &candidate = candidates[i];
      bar.show ((half + static_cast<double> (i) / static_cast<double> (candidates.size ())) / 2, candidate.text ());
      const auto limits = use.family ().limits (candidate.setting, use.problem ().with_lanes (candidate.lanes), facts);
      Measured kernel{.candidate = candidate, .half = half, .gups = NAN, .error = NAN, .limits = limits};
      try {
        measure_kernel (kernel, scan, exact, options);
      } catch (const Error &error) {
        kernel.fault = last_line (error.what ());
      }
      kernels.push_back (kernel);
    }
  }

  bar.clear ();
  report_place (options, report);
  report.headline (scan_text (options) +
                   text (", %s, kernels alone, median of %d", options.interpolation.c_str (), options.runs));
  report_scan (options, report);
  report.word ("interpolation", options.interpolation);
  const double first = kernels.empty () ? NAN : kernels[0].gups;
  report.literal ("kernels", json_of (kernels, first));
  report.row ({"GUPS", "ratio", "error", "kernel", "", "share of the unit's limit"});
  for (const auto &kernel : kernels)
    if (kernel.fault.empty ())
      report.row ({digits (kernel.gups), digits (kernel.gups / first), digits (kernel.error), kernel.candidate.text (),
                   kernel.half ? "half" : "float", shares (kernel)});
    else
      report.remark (kernel.candidate.text () + ": " + kernel.fault);
  report.remark ("ratio: to the first, of floats; error: relative RMSE, from linear interpolation in float64");
}

} // namespace sino::bench
