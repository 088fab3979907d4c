// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/tune-search.hpp"
#include "cli/bench/stack.hpp"
#include "cli/bench/timing.hpp"
#include "cli/bench/truth.hpp"
#include "device/cpu.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

// Texture engines weigh in steps of 1/256, which costs a few 1e-4 on noise; halves cost as much.
constexpr double most_error = 1e-3;
constexpr int measured_runs = 3;

Properties properties (const Aims &aims, const Way &way)
{
  auto list = aims.properties;
  list.insert (list.end (), way.properties.begin (), way.properties.end ());
  return list;
}

// One after the other, however they are cut into blocks.
std::vector<std::span<const float>> slices_in (const std::vector<Block> &blocks)
{
  std::vector<std::span<const float>> list;
  for (const auto &block : blocks)
    for (int64_t i = 0; i < block.rows ().size (); i++)
      list.emplace_back (block.as<float> () + block.offset (0, i),
                         static_cast<size_t> (block.values () / block.rows ().size ()));
  return list;
}

double difference (const std::vector<Block> &blocks, const std::vector<Block> &true_blocks)
{
  RelativeError error;
  const auto slices = slices_in (blocks), truth = slices_in (true_blocks);
  for (size_t i = 0; i < truth.size (); i++)
    for (size_t k = 0; k < truth[i].size (); k++)
      error.add (static_cast<double> (slices[i][k]), static_cast<double> (truth[i][k]));
  return error.value ();
}

double kernel_seconds (const Stack &stack)
{
  return 1e-6 * static_cast<double> (stack.counted ()["kernel-microseconds"]);
}

// Drivers may build kernels in the first run, and what the device had not ended when a run was counted counts in the
// next one: the second is for that.
void warm_up (Stack &stack)
{
  stack.run ();
  stack.run ();
}

// Of the kernels alone, where they are counted: transfers are the same for all ways.
double seconds_of_run (Stack &stack)
{
  const double before = kernel_seconds (stack);
  const double all = seconds_of ([&] { stack.run (); });
  const double kernels = kernel_seconds (stack) - before;
  return kernels > 0 ? kernels : all;
}

} // namespace

void Search::run ()
{
  find_truth ();
  measure_reference ();
  const auto first = task.first_ways (device, aims.lanes);
  for (const auto &way : first)
    if (!best || spent () < 0.5) // the rest is for those near the best
      consider (way);
  climb ();
  for (const auto &way : first)
    if (consider (way))
      climb ();
  bar.clear ();
}

void Search::climb ()
{
  for (bool better = true; better && best && !late ();) {
    better = false;
    for (const auto &way : task.ways_near (device, best->way))
      better = consider (way) || better;
  }
}

double Search::spent () const
{
  return 1e-6 * static_cast<double> (g_get_monotonic_time () - aims.begin) / aims.budget;
}

// By the node's other implementation, so that no fault of a driver is the truth.
void Search::find_truth ()
{
  auto native = aims.bench;
  native.device = native_device ();
  Stack stack (scan, native, aims.properties, 0, aims.node.c_str ());
  stack.run ();
  truth = stack.slices;
}

void Search::measure_reference ()
{
  const auto way = task.reference_way (device);
  Stack stack (scan, aims.bench, properties (aims, way), way.lanes, aims.node.c_str ());
  warm_up (stack);
  reference_gups = gups_of (stack, 0);
}

bool Search::consider (const Way &way)
{
  if ((best && late ()) || !seen.insert (way.text).second)
    return false;
  Found found{way, 0, 0, {}};
  try {
    measure (found);
  } catch (const Error &error) {
    found.fault = error.what ();
  }
  const bool better = found.fault.empty () && (!best || found.gups > best->gups);
  if (better)
    best = found;
  all.push_back (found);
  bar.show (std::min (1.0, spent ()),
            text ("%zu ways, best %s GUPS by %s", all.size (), best ? digits (best->gups).c_str () : "-",
                  best ? best->way.text.c_str () : "-"));
  return better;
}

void Search::measure (Found &found) const
{
  Stack stack (scan, aims.bench, properties (aims, found.way), found.way.lanes, aims.node.c_str ());
  warm_up (stack);
  found.error = difference (stack.slices, truth);
  if (found.error <= most_error)
    found.gups = gups_of (stack, best ? 0.7 * best->gups : 0);
  else
    found.fault = text ("errs by %s", digits (found.error).c_str ());
}

// Of a stack that is warm. Under `least` one run is enough to tell, and long ones
// vary less.
double Search::gups_of (Stack &stack, double least) const
{
  const auto gups = [&] (double seconds) { return 1e-9 * stack.updates () / seconds; };
  std::vector<double> seconds;
  double sum = 0;
  do {
    seconds.push_back (seconds_of_run (stack));
    sum += seconds.back ();
  } while (std::ssize (seconds) < measured_runs && gups (seconds[0]) > least && sum < 0.05 * aims.budget);
  return gups (median (seconds));
}

} // namespace sino::cli
