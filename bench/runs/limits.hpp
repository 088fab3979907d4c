// SPDX-License-Identifier: LGPL-3.0-or-later
// Lower limits of a run's time, with perfect overlap: the time of each resource alone.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

struct Limit {
  const char *key, *name; // name in JSON, and in the table
  double seconds;
  std::string about;
};

class Limits
{
public:
  void add (const Limit &limit) { all.push_back (limit); }

  // Reports each limit, its ratio to the run's time, and the ratio of that time to the largest limit.
  void report (double seconds, Report &report) const;

private:
  std::vector<Limit> all;
};

// "17.2 GB at 12.3 GB/s"
std::string rate_text (double bytes, double seconds);

// Shortest time in which the buses of all devices together transfer `up` and `down` bytes, in both directions at once.
// Empty if devices work in the host's memory.
std::optional<Limit> bus_limit (const BenchOptions &options, double up, double down);

// Time in which the OpenCL devices ran kernels, by their clocks, divided by the number of devices. Empty if the
// reconstructing node does not report it, or if the CPU computes as well.
std::optional<Limit> kernels_limit (const BenchOptions &options, const RunStatistics &statistics,
                                    const std::string &reconstructing);

} // namespace sino::bench
