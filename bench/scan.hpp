// SPDX-License-Identifier: LGPL-3.0-or-later
// Simulated scans for benchmarks.
#pragma once
#include "bench/bench.hpp"
#include "glue/task.hpp"
#include "stream/block.hpp"

namespace sino::bench {

using Properties = std::vector<std::pair<std::string, std::string>>;

// Makes the task of a node with properties.
std::unique_ptr<Task> make_task (const std::string &type, const Properties &properties = {});

// Returns a list for all ports of a node: `first` at the first port, if the node has one, empty values at the others.
template <class T> std::vector<T> at_first_port (const Task &task, T first)
{
  std::vector<T> all (task.inputs ().size ());
  if (!all.empty ())
    all[0] = std::move (first);
  return all;
}

std::string number (int64_t n);
std::string exact_number (double x);

// All simulated scans have 0.5 % noise in the open beam, and average this number of flats.
constexpr const char *photons = "40000", *flats = "10";

constexpr int64_t batch = 32; // angles per block of projections, as in plans with ample memory

struct Scan {
  std::shared_ptr<const Format> format; // format of f32 projections
  std::vector<Block> blocks;

  float value (int64_t angle, int64_t row, int64_t column) const;
  Rows rows () const { return {0, format->rows ()}; }
};

// The Shepp-Logan head with 0.5 % noise in the open beam, made by the nodes simulate and flat-field, and ramp-filter if
// requested. The values are the same every time; a few rows with different noise are repeated.
Scan simulated_scan (const BenchOptions &options, bool filtered);

// Counts of the same object as u16, with darks and flats. No two rows have the same noise.
Scan simulated_counts (const BenchOptions &options);

// Slices of smooth values.
Scan volume_scan (const BenchOptions &options);

// Returns the scan converted to halves by half-pack.
Scan packed (const Scan &scan, int threads);

// Throws if the scan plus `more` bytes do not fit in memory. `fewer`: what the user can give fewer of.
void require_memory (const BenchOptions &options, double more, const char *fewer = "fewer --slices");
void require_cone_memory (const BenchOptions &options, double bytes);

} // namespace sino::bench
