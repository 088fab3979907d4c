// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/chain.hpp"
#include "base/text.hpp"
#include "run/task-harness.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

const std::string &swept (const std::string &folder)
{
  for (const auto &path : TemporaryFolder::remove_abandoned (folder))
    fprintf (stderr, "sinograph: removed '%s', which a benchmark that was killed had left\n", path.c_str ());
  return folder;
}

} // namespace

Chain::Chain (const BenchOptions &o, const Properties &beam, const Nodes &middle, ByThemselves::Share share)
    : options (o), folder (swept (o.folder)), nodes (middle)
{
  const auto scan = folder.path () + "/scan.h5";
  Node simulate{"simulate",
                {{"projections", number (options.projections)},
                 {"photons", photons},
                 {"flats", flats},
                 {"darks", "10"},
                 {"type", "u16"}}};
  simulate.properties.insert (simulate.properties.end (), beam.begin (), beam.end ());
  run_whole ({simulate, {"write", {{"path", scan}}}}, options);

  nodes.insert (nodes.begin (), {"read", {{"path", scan}}});
  nodes.push_back ({"write", {{"path", folder.path () + "/slice-%05i.tif"}, {"overwrite", "true"}}});
  run_whole (nodes, options); // warms up
  std::vector<WholeRun> runs;
  for (int i = 0; i < options.runs; i++)
    runs.push_back (run_whole (nodes, options));
  std::sort (runs.begin (), runs.end (), [] (const auto &a, const auto &b) { return a.seconds < b.seconds; });
  const auto &whole = runs[runs.size () / 2];
  timing = {whole.seconds, runs.front ().seconds, runs.back ().seconds, whole.cpu, whole.energy};
  statistics = whole.statistics;

  const auto filter =
      std::find_if (nodes.begin (), nodes.end (), [] (auto &node) { return node.type == "ramp-filter"; });
  alone.emplace (nodes, options, share, static_cast<size_t> (filter - nodes.begin ()));
}

std::vector<Block> Chain::slices (const Rows &rows) const
{
  const auto task = make_task ("read", {{"path", folder.path () + "/slice-*.tif"}, {"axes", "slices"}});
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
  const auto &stage = statistics.tasks[busiest];
  const auto fill = stage.begin, drain = statistics.seconds - stage.end;
  const auto by_threads = timing.cpu / options.threads;
  const auto ratio = (timing.median - fill - drain) / std::max (alone->seconds (busiest), by_threads);

  report_timing (timing, options.runs, report);
  report_speed (timing.median, options, report);
  report_energy (timing, options, report);
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
               "of the time between, to the larger of CPU time / threads and " + nodes[busiest].type + " by itself"});
  std::vector<std::string> stages;
  for (size_t i = 0; i < nodes.size (); i++) {
    const auto busy = statistics.tasks[i].busy;
    report.row ({nodes[i].type, seconds_text (alone->seconds (i)),
                 text ("by itself; in the run at work for %s", seconds_text (busy).c_str ())});
    stages.push_back (text ("{\"node\": \"%s\", \"seconds\": %s, \"busy_seconds\": %s}", nodes[i].type.c_str (),
                            json_number (alone->seconds (i)).c_str (), json_number (busy).c_str ()));
  }
  report.literal ("tasks", "[" + join (stages) + "]");
}

} // namespace sino::cli
