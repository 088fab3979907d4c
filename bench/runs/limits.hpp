// SPDX-License-Identifier: LGPL-3.0-or-later
// What a whole run cannot beat, whatever overlaps: each thing that it needs, by itself.
#pragma once
#include "bench/runs/whole-run.hpp"

namespace sino::bench {

struct Limit {
  const char *key, *name; // in JSON and in the table
  double seconds;
  std::string about;
};

class Limits
{
public:
  void add (const Limit &limit) { all.push_back (limit); }
  const Limit &largest () const;

  // Reports each one and its share of the run's time, and the ratio of that to the largest.
  void report (double seconds, Report &report) const;

private:
  std::vector<Limit> all;
};

// "17.2 GB at 12.3 GB/s"
std::string rate_text (double bytes, double seconds);

// What `up` and `down` bytes take over the buses of the devices together, one way beside the other. No limit where
// devices work in the host's memory.
std::optional<Limit> bus_limit (const BenchOptions &options, double up, double down);

// The time of kernels of the longest node by the clock of OpenCL devices, shared by these. The kernels of nodes run
// side by side, each in a queue of its own, so that their sum may be longer than the run. None where the node that
// reconstructs does not tell it, or where the CPU computes beside them.
std::optional<Limit> kernels_limit (const BenchOptions &options, const RunStatistics &statistics,
                                    const std::string &reconstructing);

} // namespace sino::bench
