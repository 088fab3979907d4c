// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the fastest kernel that a node can run on a device with the right result: measures the most promising to begin
// with, then changes one parameter of the best after the other.
#pragma once
#include "bench/scan.hpp"
#include "cli/progress.hpp"
#include "families/candidates.hpp"
#include "families/use.hpp"
#include <optional>
#include <set>

namespace sino::bench {

class BenchStack;

struct Found {
  families::Candidate candidate;
  double speed = 0, error = 0; // speed: 1e9 updates, or values, per second
  std::string fault;           // why it does not count
};

struct Aims {
  BenchOptions bench;
  std::string node;
  Properties properties; // what the node is given, whatever the kernel
  int lanes;             // 0: any
  int64_t begin;         // by the monotonic clock, in microseconds
  double budget;         // seconds from there on; what was begun is ended
};

class Search
{
public:
  // `use`: of the task, which has negotiated the scan.
  Search (const Aims &aims, const Scan &scan, const families::Use &use);

  void run ();

  const Found *winner () const { return best ? &*best : nullptr; }
  bool late () const { return spent () >= 1; }
  std::vector<Found> all;
  double reference_speed = 0;
  families::Problem problem; // with the lanes that are asked for

private:
  const Aims &aims;
  const Scan &scan;
  const families::Family &family;
  const OpenclDevice &device;
  cli::Bar bar;
  std::optional<Found> best;
  std::set<std::string> seen;
  std::vector<Block> truth;
  double work = 0; // updates, or values, of a run

  double spent () const; // share of the budget, 0 to 1 and more
  std::vector<families::Candidate> first_candidates () const;
  std::unique_ptr<BenchStack> stack_of (const families::Candidate &candidate) const;
  void find_truth ();
  void measure_reference ();
  void climb ();
  bool consider (const families::Candidate &candidate); // whether it is the fastest so far
  void measure (Found &found) const;
  double speed_of (BenchStack &stack, double least) const;
};

} // namespace sino::bench
