// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/stack.hpp"
#include "cli/bench/timing.hpp"

namespace sino::cli {

Stack::Stack (const Scan &scan, const BenchOptions &options, const Properties &properties, int lanes, const char *node)
    : packing (make_task ("interleave")), task (make_task (node, properties))
{
  const auto format = std::make_shared<const Format> (packing->negotiate (std::vector{scan.format.get ()}));
  const auto &device = *options.device;
  back.emplace (*task, std::vector{format}, Alone::Place{&device, options.threads, lanes});
  pack.emplace (*packing, std::vector{scan.format}, Alone::Place{&device, options.threads, 0, back->lanes ()});
  from = {scan.blocks};
  packed = {back->input_blocks (0, scan.rows ())};
  slices = back->output_blocks (scan.rows ());
}

void Stack::run ()
{
  packing_seconds = seconds_of ([&] { pack->run (from, packed[0]); });
  back->run (packed, slices);
}

} // namespace sino::cli
