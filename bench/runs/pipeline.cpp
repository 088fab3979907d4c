// SPDX-License-Identifier: LGPL-3.0-or-later
// A whole parallel-beam run, compared with its lower limits: reading, writing, bus and kernels alone, and processor
// time.
#include "base/text.hpp"
#include "bench/runs/by-themselves.hpp"
#include "bench/runs/files.hpp"
#include "bench/runs/limits.hpp"
#include "bench/runs/sweep.hpp"
#include "bench/runs/writing-alone.hpp"
#include "bench/truth.hpp"
#include <algorithm>
#include <filesystem>

namespace sino::bench {

namespace {

class Pipeline
{
public:
  explicit Pipeline (const BenchOptions &options);
  void measure ();
  void report (Report &report) const;
  void sweep (Report &report) const;

private:
  const BenchOptions &options;
  const FilesFolder files;
  const bool to_null = options.to == "null";
  const std::string scan = files.path ("scan.h5"), results = files.path ("slices");
  int64_t rows_apart = 0;
  WholeRuns runs;
  Nodes parts; // nodes of the run, from the scan to the slices
  std::optional<ByThemselves> alone;
  double error = 0, read_seconds = 0, write_seconds = 0;

  double scan_bytes () const;
  double result_bytes () const;
  Node sink () const;
  Nodes nodes () const;
  void clear () const { std::filesystem::remove_all (results); }
  void report_run (const std::string &words, Report &report) const;
  Properties settings (bool fourier) const;
  const TaskStatistics &stage (const std::string &type) const;
  void find_parts ();
  double error_of_slices () const;
  double seconds (size_t part) const { return part == 0 ? read_seconds : alone->seconds (part); }
  Limits limits (size_t busiest) const;
};

// The run may choose between two methods. This window has a closed form of the exact result for both; all windows take
// the same time.
constexpr const char *window = "hann";

Pipeline::Pipeline (const BenchOptions &o) : options (o), files (o.folder)
{
  require_room (options.folder, scan_bytes () + result_bytes ());
  rows_apart = write_repeated_scan (files, scan, options);
}

Nodes Pipeline::nodes () const
{
  auto all = settings (false);
  if (!options.accuracy.empty ())
    all.emplace_back ("accuracy", options.accuracy);
  all.emplace_back ("method", options.method);
  all.emplace_back ("window", window);
  return {{"read", {{"path", scan}}}, {"flat-field", {}}, {"reconstruct", all}, sink ()};
}

void Pipeline::measure ()
{
  runs = repeat_whole (nodes (), options, [this] { clear (); });
  find_parts ();
  size_t before_lanes = 0; // index of the last node before half-pack or interleave; its output is blocks of floats
  while (parts[before_lanes].type != "ramp-filter" && parts[before_lanes + 1].type != "interleave")
    before_lanes++;
  alone.emplace (parts, options, ByThemselves::Share::first_item, before_lanes);
  error = error_of_slices ();

  read_seconds = repeat_whole ({{"read", {{"path", scan}}}, {"null", {}}}, options).timing.median;
  if (!to_null)
    write_seconds = writing_alone (results, options).faster ().timing.median;
}

double Pipeline::scan_bytes () const
{
  const auto frames = options.projections + 20; // plus flats and darks
  return 2.0 * static_cast<double> (options.size * options.slices) * static_cast<double> (frames);
}

double Pipeline::result_bytes () const
{
  const auto size = static_cast<double> (options.size);
  return to_null ? 0 : 4 * size * size * static_cast<double> (options.slices);
}

Node Pipeline::sink () const
{
  return slices_sink (results, options);
}

// Returns the properties of reconstruct, and of the node inside reconstruct that takes them.
Properties Pipeline::settings (bool fourier) const
{
  Properties all{{"axis", exact_number (0.5 * static_cast<double> (options.size))}};
  if (fourier)
    all.emplace_back ("precision", options.precision == "single" ? "single" : "half-storage");
  else
    all.insert (all.end (), {{"precision", options.precision}, {"interpolation", options.interpolation}});
  return all;
}

// Returns the statistics of a node, which may be a part of reconstruct.
const TaskStatistics &Pipeline::stage (const std::string &type) const
{
  static const TaskStatistics none;
  const auto &tasks = runs.statistics.tasks;
  const auto found = std::ranges::find_if (
      tasks, [&] (const TaskStatistics &task) { return task.node == type || task.node.ends_with ("/" + type); });
  return found == tasks.end () ? none : *found;
}

void Pipeline::find_parts ()
{
  parts = {{"read", {{"path", scan}}}, {"flat-field", {}}};
  if (stage ("fourier-reconstruct").node.empty ()) {
    parts.push_back ({"ramp-filter", {{"window", window}}});
    if (!stage ("half-pack").node.empty ())
      parts.push_back ({"half-pack", {}});
    parts.push_back ({"interleave", {}});
    parts.push_back ({"back-project", settings (false)});
  } else {
    auto all = settings (true);
    if (!options.accuracy.empty ())
      all.emplace_back ("accuracy", options.accuracy);
    all.emplace_back ("window", window);
    parts.push_back ({"interleave", {}});
    parts.push_back ({"fourier-reconstruct", all});
  }
}

// Returns the error of the files, if there are any; otherwise of the slices that the tasks computed alone.
double Pipeline::error_of_slices () const
{
  const auto &before = alone->output ();
  const Scan seen{before[0].format_pointer (), before};
  const auto path = path_of_slices (results, options);
  const auto slices = to_null ? alone->last () : read_slices (path, before[0].rows ());
  return parts.back ().type == "back-project" ? slices_error (seen, slices) : exact_slices_error (seen, slices);
}

Limits Pipeline::limits (size_t busiest) const
{
  Limits limits;
  limits.add ({.key = "read",
               .name = "reading alone",
               .seconds = read_seconds,
               .about = rate_text (scan_bytes (), read_seconds)});
  if (!to_null)
    limits.add ({.key = "write",
                 .name = "writing alone",
                 .seconds = write_seconds,
                 .about = rate_text (result_bytes (), write_seconds)});
  const auto slices_down =
      4.0 * static_cast<double> (options.size * options.size) * static_cast<double> (options.slices);
  if (const auto bus = bus_limit (options, scan_bytes (), slices_down))
    limits.add (*bus);
  if (options.devices.size () == 1 && options.device->kind == Device::Kind::native)
    limits.add ({.key = "kernels",
                 .name = "kernels alone",
                 .seconds = alone->seconds (busiest),
                 .about = parts[busiest].type + ", the longest, alone"});
  else if (const auto kernels = kernels_limit (options, runs.statistics, stage (parts.back ().type).node))
    limits.add (*kernels);
  limits.add ({.key = "cpu",
               .name = "CPU / threads",
               .seconds = runs.timing.cpu / options.threads,
               .about = "of the run's CPU time"});
  return limits;
}

// Description of the run, for the head of a report.
void Pipeline::report_run (const std::string &words, Report &report) const
{
  report_place (options, report);
  report.headline (scan_text (options) + text (", %s%s; u16 in HDF5 to %s, in %s", words.c_str (),
                                               options.method == "auto" ? ", chosen by auto" : "",
                                               to_null                ? "null"
                                               : options.to == "hdf5" ? "f32 in HDF5"
                                                                      : "f32 in TIFF",
                                               options.folder.c_str ()));
  if (rows_apart < options.slices)
    report.headline (
        text ("%" G_GINT64_FORMAT " rows of the scan are simulated, and the other rows repeat them", rows_apart));
  report_scan (options, report);
  report.integer ("rows_simulated", rows_apart);
  report.word ("method", options.method);
  report.word ("to", options.to);
  report.word ("precision", options.precision);
  report.word ("interpolation", options.interpolation);
}

void Pipeline::report (Report &report) const
{
  const auto &timing = runs.timing;
  const auto direct = parts.back ().type == "back-project";
  report_run (direct ? text ("direct, %s, %s", options.precision.c_str (), options.interpolation.c_str ())
                     : text ("fourier, %s", options.precision.c_str ()),
              report);
  report.word ("reconstruction", direct ? "direct" : "fourier");
  report_timing (timing, options.runs, report);
  report_speed (timing.median, options, options.projections, report);
  const auto bytes = scan_bytes () + result_bytes ();
  report.figure ("gigabytes_per_second", 1e-9 * bytes / timing.median, "data", " GB/s", "read and written");
  report_energy (timing, options, report);
  report.figure ("relative_rmse", error, "relative RMSE", "",
                 text ("of %s, from %s interpolation in float64", to_null ? "its parts alone" : "the files",
                       direct ? "linear" : "exact"));

  size_t busiest = 1; // index of the slowest part except `read`
  std::vector<PartTime> times;
  for (size_t i = 0; i < parts.size (); i++) {
    times.push_back ({parts[i].type, seconds (i), stage (parts[i].type)});
    if (i > 0 && seconds (i) > seconds (busiest))
      busiest = i;
  }
  if (!to_null)
    times.push_back ({"write", write_seconds, stage ("write")});
  report_busiest (times, runs.statistics, report);
  limits (busiest).report (timing.median, report);
  report_parts (times, report);
}

// Reports a table row and a JSON entry for each set of switches that are off: seconds, and the ratio to the time with
// all switches on.
void Pipeline::sweep (Report &report) const
{
  report_run (options.method, report);
  report_sweep (
      options, [this] (const BenchOptions &with) { return repeat_whole (nodes (), with, [this] { clear (); }).timing; },
      report);
}

} // namespace

void bench_pipeline (const BenchOptions &options, Report &report)
{
  Pipeline pipeline (options);
  if (options.sweep)
    return pipeline.sweep (report);
  pipeline.measure ();
  pipeline.report (report);
}

} // namespace sino::bench
