// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/stack.hpp"
#include "bench/timing.hpp"
#include "device/devices.hpp"
#include "families/time-ratio.hpp"
#include "glue/facets.hpp"
#include "glue/timed.hpp"
#include "plan/rates.hpp"
#include <algorithm>

namespace sino::bench {

BenchStack::BenchStack (const Scan &scan, const BenchOptions &options, const Properties &properties, int lanes,
                        const char *node, bool of_projections)
    : packing (make_task ("interleave")), task (make_task (node, properties))
{
  const auto &device = *options.device;
  if (of_projections) {
    back.emplace (*task, at_first_port (*task, scan.format),
                  TaskHarness::Conditions{
                      .device = &device, .threads = options.threads, .lanes = 0, .wanted = std::max (lanes, 1)});
    packed = at_first_port (*task, scan.blocks);
  } else {
    const auto format = std::make_shared<const Format> (packing->negotiate (std::vector{scan.format.get ()}));
    back.emplace (*task, at_first_port (*task, format), TaskHarness::Conditions{&device, options.threads, lanes});
    packer.emplace (
        *packing, std::vector{scan.format},
        TaskHarness::Conditions{.device = &device, .threads = options.threads, .lanes = 0, .wanted = back->lanes ()});
    packed = at_first_port (*task, back->input_blocks (0, scan.rows ()));
  }
  from = {scan.blocks};
  const auto rows = scan.rows ().meet ({0, back->format ()->rows ()}); // a node may combine rows
  slices = back->output_blocks (rows, back->format ()->kind () == Kind::projections ? batch : 0);
}

void BenchStack::run ()
{
  if (packer)
    packing_times.push_back (seconds_of ([&] { pack (); }));
  reconstruct ();
}

double BenchStack::packing_seconds () const
{
  return median ({packing_times.begin () + 1, packing_times.end ()});
}

double BenchStack::values () const
{
  double sum = 0;
  for (const auto &block : slices)
    sum += static_cast<double> (block.values ());
  return sum;
}

void BenchStack::keep_time_ratio (const BenchOptions &options, double seconds)
{
  const auto &device = *options.device;
  if (!families::keeps_time_ratios (device) || !facet<Timed> (*task).timed_by_kernels ())
    return;
  run ();
  if (kernel_seconds () <= 0)
    return;
  auto predicted = task->seconds (device, options.threads);
  if (predicted <= 0)
    predicted = back->format ()->bytes () / Rates::device_values;
  families::keep_time_ratio (families::ratio_file (as_opencl (device), *task->kernels (), lanes ()),
                             seconds / predicted);
}

} // namespace sino::bench
