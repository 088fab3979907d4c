// SPDX-License-Identifier: LGPL-3.0-or-later
// Of the ways in which a node can run on a device, the fastest that gives the right result: measures the most promising
// to begin with, then changes the best in one respect after the other.
#pragma once
#include "cli/bench/scan.hpp"
#include "cli/progress.hpp"
#include "glue/tunable.hpp"
#include <optional>
#include <set>

namespace sino::cli {

class Stack;

struct Found {
  Way way;
  double gups = 0, error = 0;
  std::string fault; // why it does not count
};

struct Aims {
  BenchOptions bench;
  std::string node;
  Properties properties; // of the node, in all ways
  int lanes;             // 0: any
  int64_t begin;         // by the monotonic clock, in microseconds
  double budget;         // seconds from there on; what was begun is ended
};

class Search
{
public:
  // `task` has negotiated the scan.
  Search (const Aims &a, const Scan &s, const Tunable &t) : aims (a), scan (s), task (t), device (*a.bench.device) {}

  void run ();

  const Found *winner () const { return best ? &*best : nullptr; }
  bool late () const { return spent () >= 1; }
  std::vector<Found> all;
  double reference_gups = 0;

private:
  const Aims &aims;
  const Scan &scan;
  const Tunable &task;
  const Device &device;
  Bar bar;
  std::optional<Found> best;
  std::set<std::string> seen;
  std::vector<Block> truth;

  double spent () const; // of the budget, 0 to 1 and more
  void find_truth ();
  void measure_reference ();
  void climb ();
  bool consider (const Way &way); // whether it is the fastest so far
  void measure (Found &found) const;
  double gups_of (Stack &stack, double least) const;
};

} // namespace sino::cli
