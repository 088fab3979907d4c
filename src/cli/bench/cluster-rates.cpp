// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/cluster-rates.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "base/text.hpp"
#include "cli/bench/files.hpp"
#include "cli/bench/whole-run.hpp"
#include "cli/options.hpp"
#include "plan/plan.hpp"
#include <algorithm>
#include <cmath>
#include <filesystem>

namespace sino::cli {

namespace {

constexpr int64_t most_measured = 1024; // columns and projections
constexpr int64_t first_rows = 32, most_rows = 256;
constexpr double least_seconds = 1; // seconds of a run

Properties reconstruct_of (const BenchOptions &options)
{
  Properties reconstruct{{"axis", exact_number (0.5 * static_cast<double> (options.size))},
                         {"method", options.method},
                         {"precision", options.precision},
                         {"interpolation", options.interpolation}};
  if (!options.accuracy.empty ())
    reconstruct.emplace_back ("accuracy", options.accuracy);
  return reconstruct;
}

Nodes measured_nodes (const std::string &scan, const BenchOptions &options, int64_t rows)
{
  return {{"read", {{"path", scan}, {"rows", "0:" + number (rows)}}},
          {"flat-field", {}},
          {"reconstruct", reconstruct_of (options)},
          {"null", {}}};
}

bool in_fourier_space (const RunStatistics &statistics)
{
  return std::ranges::any_of (statistics.tasks,
                              [] (const TaskStatistics &task) { return task.node.ends_with ("fourier-reconstruct"); });
}

double transforms (int64_t size, int64_t projections)
{
  const auto n = static_cast<double> (size);
  return n * (n + static_cast<double> (projections)) * std::log2 (n);
}

} // namespace

double SliceRate::seconds_of (int64_t other_size, int64_t other_projections) const
{
  const auto updates = [] (int64_t n, int64_t p) { return static_cast<double> (n * n) * static_cast<double> (p); };
  return fourier ? seconds * transforms (other_size, other_projections) / transforms (size, projections)
                 : seconds * updates (other_size, other_projections) / updates (size, projections);
}

SliceRate measure_slice_rate (const BenchOptions &options)
{
  auto small = options;
  small.size = std::min (options.size, most_measured);
  small.projections = std::min (options.projections, most_measured);
  const FilesFolder files (options.folder);
  const auto scan = files.path ("scan.h5");
  // Runs of some rows and of twice as many, of which the second is long enough to be measured.
  for (int64_t rows = std::clamp<int64_t> (options.slices / 2, 1, first_rows);; rows *= 2) {
    small.slices = 2 * rows;
    require_room (options.folder, 2.0 * static_cast<double> (small.size * small.slices) *
                                      static_cast<double> (small.projections + 20) * 1.1);
    write_repeated_scan (files, scan, small);
    const auto twice = measured_nodes (scan, small, 2 * rows);
    const bool last = 4 * rows > std::min (options.slices, most_rows);
    if (!last && run_whole (twice, small).seconds < least_seconds) {
      std::filesystem::remove (scan);
      continue;
    }
    const auto more = repeat_whole (twice, small);
    const auto less = repeat_whole (measured_nodes (scan, small, rows), small);
    // The slope of the two. What a run takes besides makes it less than their mean; a machine that others use makes it
    // anything.
    const auto mean = more.timing.median / static_cast<double> (2 * rows);
    const auto slope = (more.timing.median - less.timing.median) / static_cast<double> (rows);
    return {std::clamp (slope, 0.5 * mean, mean), small.size, small.projections, small.slices,
            in_fourier_space (more.statistics)};
  }
}

PlannedItem plan_item (const BenchOptions &options)
{
  const Nodes nodes{{"simulate",
                     {{"width", number (options.size)},
                      {"height", number (options.slices)},
                      {"projections", number (options.projections)},
                      {"photons", photons},
                      {"flats", flats},
                      {"darks", "1"},
                      {"type", "u16"}}},
                    {"flat-field", {}},
                    {"reconstruct", reconstruct_of (options)},
                    {"null", {}}};
  auto run_options = options.run;
  run_options.memory = 1e15;
  const auto run = make_run (graph_of (nodes), [&run_options] { return run_options; });
  const auto &pass = run->plan ().passes.back ();
  return {static_cast<double> (pass.item_rows), static_cast<double> (pass.cut_step)};
}

double measure_start (const BenchOptions &options)
{
  const auto line =
      text ("simulate width=64 height=1 projections=64 photons=%s flats=%s darks=1 type=u16 ! flat-field ! "
            "reconstruct axis=32 method=%s precision=%s interpolation=%s ! null",
            photons, flats, options.method.c_str (), options.precision.c_str (), options.interpolation.c_str ());
  // The file, then what it gets as its name.
  std::vector<std::string> words{"/proc/self/exe",
                                 "sinograph",
                                 "launch",
                                 "--quiet",
                                 "--device=" + options.device->id,
                                 text ("--threads=%d", options.threads),
                                 line};
  std::vector<char *> arguments;
  for (auto &word : words)
    arguments.push_back (word.data ());
  arguments.push_back (nullptr);
  const auto timing = measure (options.runs, [&] {
    char *said = nullptr;
    GError *failure = nullptr;
    int status = 0;
    const auto started =
        g_spawn_sync (nullptr, arguments.data (), nullptr,
                      static_cast<GSpawnFlags> (G_SPAWN_FILE_AND_ARGV_ZERO | G_SPAWN_STDOUT_TO_DEV_NULL), nullptr,
                      nullptr, nullptr, &said, &status, &failure);
    const CharPtr message (said);
    const ErrorPtr error (failure);
    if (!started || status != 0)
      fail (SINO_ERROR_FAILED, "the start of a process cannot be measured: %s: state it with --cluster=start=SECONDS",
            started ? g_strchomp (message.get ()) : failure->message);
  });
  return timing.median;
}

} // namespace sino::cli
