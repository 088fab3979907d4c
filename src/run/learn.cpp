// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels are learned from only where the counters of their node hold the whole predicted work and no other.
#include "run/learn.hpp"
#include "families/time-ratio.hpp"
#include "pass/context.hpp"
#include "plan/duration.hpp"
#include <set>

namespace sino {

namespace {

constexpr double least_seconds = 0.2; // of kernels that are learned from; the first ones of a run are slower

// Whether the devices did what the plan says, and nothing else.
bool as_planned (const RunContext &context)
{
  if (context.cluster)
    return false;
  for (size_t d = 0; d < context.devices.size (); d++)
    if (!context.failure_of (d).empty ())
      return false;
  return std::ranges::none_of (context.plan.passes, [] (const Pass &pass) {
    return !pass.beside.empty () || std::ranges::any_of (pass.items, &Item::finished);
  });
}

double kernel_seconds (const RunContext &context, int node)
{
  const auto counters = context.meters.node (node).counters.read ();
  const auto found = counters.find ("kernel-microseconds");
  return found == counters.end () ? 0 : 1e-6 * static_cast<double> (found->second);
}

struct Seconds {
  std::string about; // of families::RatioFile
  double predicted = 0, measured = 0;
};

void learn_times (const RunContext &context)
{
  std::set<int> seen; // nodes whose counters do not hold the work of the passes alone
  for (const auto &survey : context.surveys)
    for (const auto &stage : survey.stages)
      seen.insert (stage.node);
  const auto in = context.plan_input ();
  std::map<int, double> predicted; // by node: it may work in several passes
  std::map<int, families::RatioFile> files;
  for (const auto &pass : context.plan.passes)
    for (size_t s = 0; s < pass.stages.size (); s++) {
      const auto &stage = pass.stages[s];
      if (s >= pass.expected.stages.size () || pass.expected.stages[s].kernels <= 0 || seen.contains (stage.node))
        continue;
      predicted[stage.node] += pass.expected.stages[s].kernels;
      files[stage.node] = ratio_file (in.on (pass), pass, stage);
    }
  std::map<std::string, Seconds> found; // several nodes may have the same kernels
  for (const auto &[node, file] : files)
    if (const auto measured = kernel_seconds (context, node); measured > 0) {
      auto &seconds = found[file.path];
      seconds.about = file.about;
      seconds.predicted += predicted[node];
      seconds.measured += measured;
    }
  for (const auto &[path, seconds] : found)
    if (seconds.measured >= least_seconds)
      families::keep_time_ratio ({path, seconds.about}, seconds.measured / seconds.predicted);
}

} // namespace

void learn (const RunContext &context) noexcept
{
  try {
    if (as_planned (context))
      learn_times (context);
  } catch (...) { // the run has succeeded all the same
    g_debug ("nothing was learned from this run");
  }
}

} // namespace sino
