// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the fastest kernel of a node on a device that gives the right result: measures the most promising ones first,
// then varies one parameter of the best after the other.
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
  double speed = 0, error = 0; // speed: in 1e9 updates, or values, per second
  std::string fault;           // reason why it is excluded
};

struct Aims {
  BenchOptions bench;
  std::string node;
  Properties properties; // properties of the node, for all kernels
  int lanes;             // requested number of lanes; 0: any
  int64_t begin;         // start of the search by the monotonic clock, in microseconds
  double budget; // seconds after `begin` at which the search ends, but it completes a measurement that has begun
};

class Search
{
public:
  // `use`: the kernels of the task, which has negotiated the scan.
  Search (const Aims &aims, const Scan &scan, const families::Use &use);

  void run ();

  const Found *winner () const { return best ? &*best : nullptr; }
  // Keeps the speed of the winner for plans (families/time-ratio.hpp).
  void keep_speed () const;
  bool late () const { return spent () >= 1; }
  std::vector<Found> all;
  double reference_speed = 0;
  families::Problem problem; // problem with the requested number of lanes

private:
  const Aims &aims;
  const Scan &scan;
  const families::Family &family;
  const OpenclDevice &device;
  cli::Bar bar;
  std::optional<Found> best;
  std::set<std::string> seen;
  std::vector<Block> truth;
  double work = 0; // number of updates, or values, per run

  double spent () const; // used share of the budget; may exceed 1
  std::vector<families::Candidate> first_candidates () const;
  std::unique_ptr<BenchStack> stack_of (const families::Candidate &candidate) const;
  void find_truth ();
  void measure_reference ();
  void climb ();
  bool consider (const families::Candidate &candidate); // returns whether it is the fastest so far
  void measure (Found &found) const;
  double speed_of (BenchStack &stack, double least) const;
};

} // namespace sino::bench
