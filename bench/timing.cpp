// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/timing.hpp"
#include "base/text.hpp"
#include "cli/energy.hpp"
#include "graph/properties.hpp"
#include "kernels/back-project/native/cell.hpp"
#include <algorithm>
#include <chrono>
#include <sys/resource.h>

namespace sino::bench {

using namespace cli;

double seconds_of (const std::function<void ()> &body)
{
  const auto begin = std::chrono::steady_clock::now ();
  body ();
  return std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count ();
}

double cpu_seconds ()
{
  rusage used;
  getrusage (RUSAGE_SELF, &used);
  const auto seconds = [] (const timeval &t) {
    return static_cast<double> (t.tv_sec) + 1e-6 * static_cast<double> (t.tv_usec);
  };
  return seconds (used.ru_utime) + seconds (used.ru_stime);
}

double median (std::vector<double> values)
{
  std::ranges::sort (values);
  const auto n = values.size ();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

Timing measure (int runs, const std::function<void ()> &body, const std::shared_ptr<const Device> &metered)
{
  body ();
  std::vector<double> seconds, cpu;
  std::optional<EnergyMeter> meter;
  if (metered)
    meter.emplace (energy_gpus ({metered}));
  for (int i = 0; i < runs; i++) {
    const auto before = cpu_seconds ();
    seconds.push_back (seconds_of (body));
    cpu.push_back (cpu_seconds () - before);
    if (meter)
      meter->watch ();
  }
  const auto [least, most] = std::ranges::minmax_element (seconds);
  return {.median = median (seconds),
          .least = *least,
          .most = *most,
          .cpu = median (cpu),
          .energy = meter ? meter->energy ().per (runs) : Energy ()};
}

std::vector<int> thread_counts (int most)
{
  std::vector<int> list;
  for (int n = 1; n < most; n *= 2)
    list.push_back (n);
  list.push_back (most);
  return list;
}

void report_timing (const Timing &timing, int runs, Report &report)
{
  report.number ("seconds", timing.median);
  report.number ("seconds_least", timing.least);
  report.number ("seconds_most", timing.most);
  report.number ("cpu_seconds", timing.cpu);
  report.row ({"time", seconds_text (timing.median),
               text ("median of %d; %s to %s", runs, seconds_text (timing.least).c_str (),
                     seconds_text (timing.most).c_str ())});
  report.row ({"CPU time", seconds_text (timing.cpu), "of all threads; less than threads x time on a busy machine"});
}

void report_speed (double seconds, const BenchOptions &options, int64_t projections, Report &report)
{
  const auto slices = static_cast<double> (options.slices), size = static_cast<double> (options.size);
  const double gups = 1e-9 * size * size * static_cast<double> (projections) * slices / seconds;
  report.figure ("gups", gups, "speed", " GUPS", "size^2 x projections of a slice x slices / time");
  report.figure ("ms_per_slice", 1e3 * seconds / slices, "per slice", " ms");
}

void report_energy (const Timing &timing, const BenchOptions &options, Report &report)
{
  const auto voxels = static_cast<double> (options.size * options.size * options.slices);
  std::vector<std::string> parts, missing;
  for (const auto &part : timing.energy.parts)
    if (part.fault.empty ())
      parts.push_back (quote_json (part.name) + ": " + json_number (part.joules));
    else
      missing.push_back (quote_json (part.name) + ": " + quote_json (part.fault));
  if (const auto figures = timing.energy.figures (timing.median, voxels)) {
    report.figure ("joules", figures->joules, "energy", " J",
                   "of " + parts_text (timing.energy) + ", including idle power and the work of other programs");
    report.figure ("voxels_per_second_per_watt", figures->speed, "per watt", " voxels/s");
    report.figure ("energy_delay", figures->delay, "energy-delay", " J s", "energy x time");
  }
  for (const auto &part : timing.energy.parts)
    if (!part.fault.empty ())
      report.row ({"energy of " + part.name, "not measured", part.fault});
  report.literal ("energy", "{" + join (parts) + "}");
  report.literal ("energy_not_measured", "{" + join (missing) + "}");
}

void report_place (const BenchOptions &options, Report &report)
{
  const bool native = options.device->kind == Device::Kind::native;
  const auto *set = back_project::instruction_set ();
  std::vector<std::string> ids;
  for (const auto &device : options.devices)
    ids.push_back (device->id);
  const auto id = join (ids, ",");
  report.word ("device", id);
  report.word ("device_name", options.device->name);
  if (native)
    report.word ("instruction_set", set);
  report.integer ("threads", options.threads);
  report.integer ("runs", options.runs);
  report.headline (text ("%s (%s)%s%s, %d thread%s", id.c_str (), options.device->name.c_str (), native ? ", " : "",
                         native ? set : "", options.threads, options.threads == 1 ? "" : "s"));
}

std::string scan_text (const BenchOptions &options)
{
  return text ("%" G_GINT64_FORMAT " slices of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " from %" G_GINT64_FORMAT
               " projections",
               options.slices, options.size, options.size, options.projections);
}

void report_scan (const BenchOptions &options, Report &report)
{
  report.integer ("size", options.size);
  report.integer ("projections", options.projections);
  report.integer ("slices", options.slices);
}

} // namespace sino::bench
