// SPDX-License-Identifier: LGPL-3.0-or-later
// What the benchmarks have in common.
#pragma once
#include "bench/report.hpp"
#include "run/options.hpp"

namespace sino::bench {

struct BenchOptions {
  std::shared_ptr<const Device> device;
  std::vector<std::shared_ptr<const Device>> devices; // of a whole run; the one above is the first
  int threads, runs;
  int64_t size, projections, slices;
  int64_t detector; // columns and rows, where they are not those of the volume
  std::string precision, interpolation;
  std::string accuracy;   // empty: as usual
  std::string method, to; // how a whole run reconstructs, and where its slices go: tiff, hdf5, null
  std::string folder;     // for files
  RunOptions run;         // of whole runs
  bool sweep = false;     // whole runs with switches off
};

void bench_back_project (const BenchOptions &options, Report &report);
void bench_cone_back_project (const BenchOptions &options, Report &report);
void bench_fourier_reconstruct (const BenchOptions &options, Report &report);
void bench_kernels (const BenchOptions &options, Report &report);
void bench_ramp_filter (const BenchOptions &options, Report &report);
void bench_interleave (const BenchOptions &options, Report &report);
void bench_pipeline (const BenchOptions &options, Report &report);
void bench_cone_pipeline (const BenchOptions &options, Report &report);
void bench_scaling (const BenchOptions &options, Report &report);
void bench_peaks (const BenchOptions &options, Report &report);

// The commands of sinograph-bench.
int bench (int argc, char **argv);
std::vector<std::string> bench_names (); // that its first argument may be
int tune (int argc, char **argv);

} // namespace sino::bench
