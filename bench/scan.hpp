// SPDX-License-Identifier: LGPL-3.0-or-later
// The scan that benchmarks work on.
#pragma once
#include "bench/bench.hpp"
#include "stream/block.hpp"

namespace sino {
class Task;
}

namespace sino::bench {

using Properties = std::vector<std::pair<std::string, std::string>>;

// A node's description, as a graph would have it.
std::unique_ptr<Task> make_task (const std::string &type, const Properties &properties = {});

std::string number (int64_t n);
std::string exact_number (double x);

// All simulated scans have 0.5 % of noise in the open beam, and average so many flat fields.
constexpr const char *photons = "40000", *flats = "10";

constexpr int64_t batch = 32; // angles per block of projections, as plans choose when memory is ample

struct Scan {
  std::shared_ptr<const Format> format; // f32 projections
  std::vector<Block> blocks;

  float value (int64_t angle, int64_t row, int64_t column) const;
  Rows rows () const { return {0, format->rows ()}; }
};

// The head of Shepp and Logan with a noise of 0.5 % in the open beam, made by the nodes simulate and flat-field, and
// ramp-filter if asked for. The same values every time; the rows differ in their noise, in turns of a few.
Scan simulated_scan (const BenchOptions &options, bool filtered);

// The counts of such a scan, u16, with its darks and flats. All rows differ.
Scan simulated_counts (const BenchOptions &options);

// The same scan as half-pack makes it.
Scan packed (const Scan &scan, int threads);

// What the scan and `more` bytes take has to fit in memory.
void require_memory (const BenchOptions &options, double more);
void require_cone_memory (const BenchOptions &options, double bytes);

} // namespace sino::bench
