// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/chain.hpp"
#include <algorithm>

namespace sino::bench {

Chain::Chain (const BenchOptions &o, const Properties &beam, const Nodes &middle, ByThemselves::Share share)
    : options (o), files (o.folder), nodes (middle)
{
  const auto scan = files.path ("scan.h5");
  write_scan (scan, beam, options);
  nodes.insert (nodes.begin (), {"read", {{"path", scan}}});
  nodes.push_back ({"write", {{"path", files.path ("slice-%05i.tif")}, {"overwrite", "true"}}});
  runs = repeat_whole (nodes, options);

  const auto filter = std::ranges::find (nodes, "ramp-filter", &Node::type);
  alone.emplace (nodes, options, share, static_cast<size_t> (filter - nodes.begin ()));
}

void Chain::report (double error, Report &report) const
{
  std::vector<PartTime> parts;
  for (size_t i = 0; i < nodes.size (); i++)
    parts.push_back ({nodes[i].type, alone->seconds (i), runs.statistics.tasks[i]});
  report_timing (runs.timing, options.runs, report);
  report_speed (runs.timing.median, options, options.projections, report);
  report_energy (runs.timing, options, report);
  report.figure ("relative_rmse", error, "relative RMSE", "", "of the files, from linear interpolation in float64");
  const auto &busiest = report_busiest (parts, runs.statistics, report);
  const auto ratio = runs.timing.median / std::max (busiest.seconds, runs.timing.cpu / options.threads);
  report.figure ("ratio", ratio, "ratio", "",
                 "of the time to the larger of CPU time / threads and " + busiest.name + " by itself");
  report_parts (parts, report);
}

} // namespace sino::bench
