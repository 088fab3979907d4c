// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/chain.hpp"
#include "base/text.hpp"
#include "run/task-harness.hpp"
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

  const auto filter =
      std::find_if (nodes.begin (), nodes.end (), [] (auto &node) { return node.type == "ramp-filter"; });
  alone.emplace (nodes, options, share, static_cast<size_t> (filter - nodes.begin ()));
}

std::vector<Block> Chain::slices (const Rows &rows) const
{
  const auto task = make_task ("read", {{"path", files.path ("slice-*.tif")}, {"axes", "slices"}});
  TaskHarness read (*task, {}, {});
  auto blocks = read.output_blocks (rows, batch);
  read.run ({}, blocks);
  return blocks;
}

void Chain::report (double error, Report &report) const
{
  size_t busiest = 0;
  for (size_t i = 0; i < nodes.size (); i++)
    if (alone->seconds (i) > alone->seconds (busiest))
      busiest = i;
  const auto &stage = runs.statistics.tasks[busiest];
  const auto fill = stage.begin, drain = runs.statistics.seconds - stage.end;
  const auto by_threads = runs.timing.cpu / options.threads;
  const auto ratio = runs.timing.median / std::max (alone->seconds (busiest), by_threads);

  report_timing (runs.timing, options.runs, report);
  report_speed (runs.timing.median, options, report);
  report_energy (runs.timing, options, report);
  report.number ("relative_rmse", error);
  report.row ({"relative RMSE", digits (error), "of the files, from linear interpolation in float64"});
  report.word ("busiest", nodes[busiest].type);
  report.number ("busiest_seconds", alone->seconds (busiest));
  report.number ("fill_seconds", fill);
  report.row ({"fill", seconds_text (fill), "until " + nodes[busiest].type + " has its first work item"});
  report.number ("drain_seconds", drain);
  report.row ({"drain", seconds_text (drain), "after its last one"});
  report.number ("ratio", ratio);
  report.row ({"ratio", digits (ratio),
               "of the time to the larger of CPU time / threads and " + nodes[busiest].type + " by itself"});
  std::vector<std::string> stages;
  for (size_t i = 0; i < nodes.size (); i++) {
    const auto busy = runs.statistics.tasks[i].busy;
    report.row ({nodes[i].type, seconds_text (alone->seconds (i)),
                 text ("by itself; in the run at work for %s", seconds_text (busy).c_str ())});
    stages.push_back (text ("{\"node\": \"%s\", \"seconds\": %s, \"busy_seconds\": %s}", nodes[i].type.c_str (),
                            json_number (alone->seconds (i)).c_str (), json_number (busy).c_str ()));
  }
  report.literal ("tasks", "[" + join (stages) + "]");
}

} // namespace sino::bench
