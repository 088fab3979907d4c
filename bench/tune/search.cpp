// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/tune/search.hpp"
#include "bench/stack.hpp"
#include "bench/timing.hpp"
#include "bench/truth.hpp"
#include "device/cpu.hpp"
#include "device/devices.hpp"
#include "families/choice.hpp"
#include "families/trial.hpp"
#include <algorithm>

namespace sino::bench {

namespace {

// Texture units interpolate in steps of 1/256, which causes an error of a few 1e-4 on noise; half precision causes as
// much.
constexpr double most_error = 1e-3;
constexpr int measured_runs = 3;

Properties properties (const Aims &aims, const families::Setting &setting)
{
  auto list = aims.properties;
  list.emplace_back ("variant", setting.kernel->name);
  list.emplace_back ("variant-parameters", setting.parameters_text ());
  return list;
}

// The values of all blocks in sequence, independent of their division.
template <class T> std::vector<T> values_in (const std::vector<Block> &blocks)
{
  std::vector<T> all;
  for (const auto &block : blocks)
    all.insert (all.end (), block.as<T> (), block.as<T> () + block.bytes () / sizeof (T));
  return all;
}

// The relative error for floats; the share of different bytes for other elements.
double difference (const std::vector<Block> &blocks, const std::vector<Block> &true_blocks)
{
  if (blocks[0].format ().element == Element::f32) {
    RelativeError error;
    const auto got = values_in<float> (blocks), truth = values_in<float> (true_blocks);
    for (size_t i = 0; i < truth.size (); i++)
      error.add (static_cast<double> (got[i]), static_cast<double> (truth[i]));
    return error.value ();
  }
  const auto got = values_in<std::byte> (blocks), truth = values_in<std::byte> (true_blocks);
  return families::share_different (got, truth);
}

// Returns the seconds of the kernels alone, if the node reports them; transfers are the same for all kernels.
double seconds_of_run (BenchStack &stack)
{
  const double before = stack.kernel_seconds ();
  const double all = seconds_of ([&] { stack.run (); });
  const double kernels = stack.kernel_seconds () - before;
  return kernels > 0 ? kernels : all;
}

} // namespace

Search::Search (const Aims &a, const Scan &s, const families::Use &use)
    : problem (use.problem ()), aims (a), scan (s), family (use.family ()), device (as_opencl (*a.bench.device))
{
  problem.lanes = !family.any_lanes && (aims.lanes > 0 || family.picks_lanes) ? aims.lanes : family.usual.lanes;
}

void Search::run ()
{
  find_truth ();
  measure_reference ();
  const auto first = first_candidates ();
  for (const auto &candidate : first)
    if (!best || spent () < 0.5) // the other half is for variations of the best
      consider (candidate);
  climb ();
  for (const auto &candidate : first)
    if (consider (candidate))
      climb ();
  bar.clear ();
}

// Begins with the choice without tuning, so that the result is at least as fast.
std::vector<families::Candidate> Search::first_candidates () const
{
  auto list = families::first_candidates (device, family, problem);
  const auto usual = families::choose (device, family, problem);
  list.insert (list.begin (), {usual.setting, usual.lanes});
  return list;
}

void Search::climb ()
{
  for (bool better = true; better && best && !late ();) {
    better = false;
    for (const auto &candidate : families::candidates_near (device, problem, best->candidate))
      better = consider (candidate) || better;
  }
}

double Search::spent () const
{
  return 1e-6 * static_cast<double> (g_get_monotonic_time () - aims.begin) / aims.budget;
}

// Computes the reference with the node's native implementation, which no driver can affect.
void Search::find_truth ()
{
  auto native = aims.bench;
  native.device = native_device ();
  BenchStack stack (scan, native, aims.properties, problem.lanes, aims.node.c_str (), family.takes_projections);
  stack.run ();
  truth = stack.slices;
  work = stack.updates () > 0 ? stack.updates () : stack.values ();
}

std::unique_ptr<BenchStack> Search::stack_of (const families::Candidate &candidate) const
{
  return std::make_unique<BenchStack> (scan, aims.bench, properties (aims, candidate.setting), candidate.lanes,
                                       aims.node.c_str (), family.takes_projections);
}

void Search::keep_speed () const
{
  stack_of (best->candidate)->keep_time_ratio (aims.bench, 1e-9 * work / best->speed);
}

void Search::measure_reference ()
{
  const auto stack = stack_of (families::reference_of (family, problem));
  stack->run (); // drivers may compile kernels in this run
  reference_speed = speed_of (*stack, 0);
}

bool Search::consider (const families::Candidate &candidate)
{
  if ((best && late ()) || !seen.insert (candidate.text ()).second)
    return false;
  Found found{.candidate = candidate, .speed = 0, .error = 0};
  try {
    measure (found);
  } catch (const Error &error) {
    found.fault = error.what ();
  }
  const bool better = found.fault.empty () && (!best || found.speed > best->speed);
  if (better)
    best = found;
  all.push_back (found);
  bar.show (std::min (1.0, spent ()),
            text ("%zu ways, best %s by %s", all.size (), best ? digits (best->speed).c_str () : "-",
                  best ? best->candidate.text ().c_str () : "-"));
  return better;
}

void Search::measure (Found &found) const
{
  const auto stack = stack_of (found.candidate);
  stack->run (); // drivers may compile kernels in this run
  found.error = difference (stack->slices, truth);
  if (found.error <= most_error)
    found.speed = speed_of (*stack, best ? 0.7 * best->speed : 0);
  else
    found.fault = text ("error %s", digits (found.error).c_str ());
}

// Speed of a stack after a warm-up. If it is below `least`, one run is enough; long runs vary less.
double Search::speed_of (BenchStack &stack, double least) const
{
  const auto speed = [&] (double seconds) { return 1e-9 * work / seconds; };
  std::vector<double> seconds;
  double sum = 0;
  do {
    seconds.push_back (seconds_of_run (stack));
    sum += seconds.back ();
  } while (std::ssize (seconds) < measured_runs && speed (seconds[0]) > least && sum < 0.05 * aims.budget);
  return speed (median (seconds));
}

} // namespace sino::bench
