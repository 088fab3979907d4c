// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "bench/bench.hpp"
#include "device/energy/energy.hpp"
#include <functional>

namespace sino::bench {

struct Timing {
  double median, least, most; // wall-clock seconds
  double cpu;                 // median of processor seconds, all threads together
  Energy energy = {};         // mean over all runs, because energy counters are slow
};

// Runs `body` once as a warm-up, then `runs` times. `metered`: the device whose energy is measured.
Timing measure (int runs, const std::function<void ()> &body, const std::shared_ptr<const Device> &metered = nullptr);

double seconds_of (const std::function<void ()> &body);

// Processor seconds used by this process.
double cpu_seconds ();

double median (std::vector<double> values);

// Returns 1, 2, 4 ..., and `most`.
std::vector<int> thread_counts (int most);

// Adds the row of the table and the numbers in JSON: "seconds", "seconds_least", "seconds_most", "cpu_seconds".
void report_timing (const Timing &timing, int runs, Report &report);

// Reports a reconstruction's "gups" and "ms_per_slice". `projections`: of each slice.
void report_speed (double seconds, const BenchOptions &options, int64_t projections, Report &report);

// Reports the "joules" of a reconstruction, its "voxels_per_second_per_watt" and its "energy_delay".
void report_energy (const Timing &timing, const BenchOptions &options, Report &report);

// Adds the device, its instruction set and threads to the head of a report.
void report_place (const BenchOptions &options, Report &report);

// "32 slices of 1024 x 1024 from 1024 projections"
std::string scan_text (const BenchOptions &options);
// The numbers "size", "projections" and "slices".
void report_scan (const BenchOptions &options, Report &report);

} // namespace sino::bench
