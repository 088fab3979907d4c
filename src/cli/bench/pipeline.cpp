// SPDX-License-Identifier: LGPL-3.0-or-later
// A run of the whole chain, from a file of counts to a file per slice, as 'sinograph launch' runs it; then each of its
// tasks by itself: a run that overlaps well lasts little longer than its busiest task, or than its work takes on the
// processor.
#include "base/temporary.hpp"
#include "base/text.hpp"
#include "cli/bench/timing.hpp"
#include "cli/bench/truth.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "graph/properties.hpp"
#include "run/task-harness.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

struct Node {
  std::string type;
  Properties properties;
};

using Nodes = std::vector<Node>;

Nodes simulation (const BenchOptions &options, const std::string &scan)
{
  return {{"simulate",
           {{"width", number (options.size)},
            {"height", number (options.slices)},
            {"projections", number (options.projections)},
            {"photons", photons},
            {"flats", flats},
            {"darks", "10"},
            {"type", "u16"}}},
          {"write", {{"path", scan}}}};
}

Nodes reconstruction (const BenchOptions &options, const std::string &scan, const std::string &slices)
{
  return {{"read", {{"path", scan}}},
          {"flat-field", {}},
          {"ramp-filter", {}},
          {"interleave", {}},
          {"back-project", {{"precision", options.precision}, {"interpolation", options.interpolation}}},
          {"write", {{"path", slices}, {"overwrite", "true"}}}};
}

// A run by the wall clock, on the processor, and as the runtime saw it.
struct WholeRun {
  double seconds, cpu;
  Energy energy;
  RunStatistics statistics;
};

WholeRun run_whole (const Nodes &nodes, const BenchOptions &options)
{
  Graph graph;
  for (size_t i = 0; i < nodes.size (); i++) {
    const auto node = graph.add (nodes[i].type);
    for (const auto &[name, word] : nodes[i].properties)
      set_property (graph.nodes ()[node], name, word);
    if (i > 0)
      graph.connect (node - 1, node, 0);
  }
  WholeRun whole{};
  EnergyMeter meter (energy_gpus ({options.device}));
  const auto cpu_before = cpu_seconds ();
  whole.seconds = seconds_of ([&] {
    const auto run =
        make_run (graph, [&options] { return RunOptions{.threads = options.threads, .devices = {options.device}}; });
    const Cancelling cancelling (*run);
    run->execute ();
    whole.statistics = run->statistics ();
  });
  whole.cpu = cpu_seconds () - cpu_before;
  whole.energy = meter.energy ();
  return whole;
}

// The tasks of a chain one after the other, each on the first work item that the task before it put out.
class ByThemselves
{
public:
  ByThemselves (const Nodes &nodes, const BenchOptions &o) : options (o)
  {
    std::vector<std::shared_ptr<const Format>> formats;
    for (const auto &[type, properties] : nodes) {
      auto &task = *tasks.emplace_back (make_task (type, properties));
      std::vector<const Format *> inputs (task.inputs ().size ());
      if (!inputs.empty ())
        inputs[0] = formats.back ().get ();
      formats.push_back (std::make_shared<const Format> (task.negotiate (inputs)));
    }
    wanted.assign (tasks.size (), 1);
    for (size_t i = tasks.size () - 1; i > 0; i--)
      wanted[i - 1] = tasks[i]->wanted_lanes (*options.device, wanted[i]);
    rows = {0, std::min<int64_t> (options.slices, *std::max_element (wanted.begin (), wanted.end ()))};
    for (size_t i = 0; i < tasks.size (); i++)
      run (i);
  }

  // Seconds that task i takes for all rows.
  double seconds (size_t i) const
  {
    return times[i] * static_cast<double> (options.slices) / static_cast<double> (rows.size ());
  }
  const std::vector<Block> &output (size_t i) const { return outputs[i]; }

private:
  const BenchOptions &options;
  std::vector<std::unique_ptr<Task>> tasks;
  std::vector<int> wanted; // lanes, by the task after it
  Rows rows;
  std::vector<double> times;
  std::vector<std::vector<Block>> outputs;

  void run (size_t i)
  {
    auto &task = *tasks[i];
    std::vector<std::shared_ptr<const Format>> formats (task.inputs ().size ());
    std::vector<std::vector<Block>> from (formats.size ());
    if (!formats.empty ()) {
      from[0] = outputs[i - 1];
      formats[0] = from[0][0].format_pointer ();
    }
    TaskHarness alone (task, formats, {options.device.get (), options.threads, 0, wanted[i]});
    const auto to = task.has_output () ? alone.output_blocks (rows, batch) : std::vector<Block> ();
    times.push_back (measure (options.runs, [&] { alone.run (from, to); }).median);
    outputs.push_back (to);
  }
};

// Root mean square error of the slices in files.
double files_error (const ByThemselves &tasks, size_t filter, const std::string &slices)
{
  const auto &filtered = tasks.output (filter);
  const auto task = make_task ("read", {{"path", slices}, {"axes", "slices"}});
  TaskHarness read (*task, {}, {});
  const auto blocks = read.output_blocks (filtered[0].rows (), batch);
  read.run ({}, blocks);
  return slices_error ({filtered[0].format_pointer (), filtered}, blocks);
}

} // namespace

void bench_pipeline (const BenchOptions &options, Report &report)
{
  for (const auto &path : TemporaryFolder::remove_abandoned (options.folder))
    fprintf (stderr, "sinograph: removed '%s', which a benchmark that was killed had left\n", path.c_str ());
  const TemporaryFolder folder (options.folder);
  const auto scan = folder.path () + "/scan.h5";
  run_whole (simulation (options, scan), options);
  const auto nodes = reconstruction (options, scan, folder.path () + "/slice-%05i.tif");

  run_whole (nodes, options); // warms up
  std::vector<WholeRun> runs;
  for (int i = 0; i < options.runs; i++)
    runs.push_back (run_whole (nodes, options));
  std::sort (runs.begin (), runs.end (), [] (const auto &a, const auto &b) { return a.seconds < b.seconds; });
  const auto &whole = runs[runs.size () / 2];

  const ByThemselves alone (nodes, options);
  size_t busiest = 0;
  for (size_t i = 0; i < nodes.size (); i++)
    if (alone.seconds (i) > alone.seconds (busiest))
      busiest = i;
  const auto &stage = whole.statistics.tasks[busiest];
  const auto fill = stage.begin, drain = whole.statistics.seconds - stage.end;
  const auto by_threads = whole.cpu / options.threads;
  const auto ratio = (whole.seconds - fill - drain) / std::max (alone.seconds (busiest), by_threads);
  const auto error = files_error (alone, 2, folder.path () + "/slice-*.tif");

  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT " slices of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                         " from %" G_GINT64_FORMAT " projections, %s, %s; u16 in HDF5 to f32 in TIFF, in %s",
                         options.slices, options.size, options.size, options.projections, options.precision.c_str (),
                         options.interpolation.c_str (), options.folder.c_str ()));
  report_scan (options, report);
  report.word ("precision", options.precision);
  report.word ("interpolation", options.interpolation);
  const Timing timing{whole.seconds, runs.front ().seconds, runs.back ().seconds, whole.cpu, whole.energy};
  report_timing (timing, options.runs, report);
  report_speed (whole.seconds, options, report);
  report_energy (timing, options, report);
  report.number ("relative_rmse", error);
  report.row ({"relative RMSE", digits (error), "of the files, from linear interpolation in float64"});
  report.word ("busiest", nodes[busiest].type);
  report.number ("busiest_seconds", alone.seconds (busiest));
  report.number ("fill_seconds", fill);
  report.row ({"fill", seconds_text (fill), "until " + nodes[busiest].type + " has its first work item"});
  report.number ("drain_seconds", drain);
  report.row ({"drain", seconds_text (drain), "after its last one"});
  report.number ("ratio", ratio);
  report.row ({"ratio", digits (ratio),
               "of the time between, to the larger of CPU time / threads and " + nodes[busiest].type + " by itself"});
  std::vector<std::string> stages;
  for (size_t i = 0; i < nodes.size (); i++) {
    const auto busy = whole.statistics.tasks[i].busy;
    report.row ({nodes[i].type, seconds_text (alone.seconds (i)),
                 text ("by itself; in the run at work for %s", seconds_text (busy).c_str ())});
    stages.push_back (text ("{\"node\": \"%s\", \"seconds\": %s, \"busy_seconds\": %s}", nodes[i].type.c_str (),
                            json_number (alone.seconds (i)).c_str (), json_number (busy).c_str ()));
  }
  report.literal ("tasks", "[" + join (stages) + "]");
}

} // namespace sino::cli
