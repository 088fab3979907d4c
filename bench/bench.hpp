// SPDX-License-Identifier: LGPL-3.0-or-later
// Common definitions of the benchmarks.
#pragma once
#include "bench/report.hpp"
#include "run/options.hpp"

namespace sino::bench {

struct BenchOptions {
  std::shared_ptr<const Device> device;
  std::vector<std::shared_ptr<const Device>> devices; // devices of a whole run; the first one is `device`
  int threads, runs;
  int64_t size, projections, slices; // 0: usual ones of the benchmark
  int64_t detector;                  // columns and rows of the detector, if they differ from those of the volume
  int64_t turns = 1;                 // of a helix; 1: a circle
  std::string precision, interpolation;
  // Kernels and their parameters, separated by semicolons; empty: all, or for cone-back-project the usual one.
  std::string variants;
  std::string accuracy; // empty: default
  // for a whole run: method of reconstruction, and format of the written slices: tiff, hdf5, null
  std::string method, to;
  int files = 1;      // files that share the slices in HDF5
  std::string folder; // folder for the files of whole runs
  RunOptions run;     // options of whole runs
  bool sweep = false; // whether whole runs are repeated with optimisations switched off
};

void bench_back_project (const BenchOptions &options, Report &report);
void bench_cone_back_project (const BenchOptions &options, Report &report);
void bench_fourier_reconstruct (const BenchOptions &options, Report &report);
void bench_iteration (const BenchOptions &options, Report &report);
void bench_cone_iteration (const BenchOptions &options, Report &report);
void bench_projectors (const BenchOptions &options, Report &report);
void bench_kernels (const BenchOptions &options, Report &report);
void bench_single_slice (const BenchOptions &options, Report &report);
void bench_ramp_filter (const BenchOptions &options, Report &report);
void bench_interleave (const BenchOptions &options, Report &report);
void bench_pipeline (const BenchOptions &options, Report &report);
void bench_write (const BenchOptions &options, Report &report);
void bench_cone_pipeline (const BenchOptions &options, Report &report);
void bench_scaling (const BenchOptions &options, Report &report);
void bench_peaks (const BenchOptions &options, Report &report);

// The commands of sinograph-bench.
int bench (int argc, char **argv);
std::vector<std::string> bench_names (); // possible first arguments
int tune (int argc, char **argv);

} // namespace sino::bench
