// SPDX-License-Identifier: LGPL-3.0-or-later
// A whole cone-beam run with the method of Feldkamp, Davis and Kress, compared with its tasks one after the other, as
// in table 4 of Lu, Ino and Hagihara (2016).
#include "base/text.hpp"
#include "bench/runs/chain.hpp"
#include "bench/truth.hpp"
#include "graph/values.hpp"
#include <algorithm>

namespace sino::bench {

namespace {

// The circle of bench_cone_back_project with a more distant detector; lengths in voxels.
Circle circle_of (const BenchOptions &options)
{
  const auto size = static_cast<double> (options.size);
  return {2 * size, 3 * size, 1.5 * size / (0.8 * static_cast<double> (options.detector))};
}

// Filtering needs memory for two sets of projections; back-projection for one set and the slices.
void require_memory_of_tasks (const BenchOptions &options)
{
  const auto bytes = [] (int64_t side, int64_t many) { return 4.0 * std::pow (side, 2) * static_cast<double> (many); };
  const auto projections = bytes (options.detector, options.projections);
  require_cone_memory (options, projections + std::max (projections, bytes (options.size, options.size)));
}

} // namespace

void bench_cone_pipeline (const BenchOptions &given, Report &report)
{
  auto options = given;
  options.slices = options.size;
  require_memory_of_tasks (options);
  const auto circle = circle_of (options);
  const auto size = number (options.size), detector = number (options.detector);
  const Chain chain (options,
                     {{"object", "shepp-logan-3d"},
                      {"width", detector},
                      {"height", detector},
                      {"angles", "0:360"},
                      {"source-origin", exact_number (circle.source)},
                      {"origin-detector", exact_number (circle.detector - circle.source)},
                      {"pixel-size", exact_number (circle.pixel)}},
                     {{"flat-field", {}},
                      {"cone-weight", {}},
                      {"ramp-filter", {}},
                      {"cone-back-project",
                       {{"size", size}, {"slices", size}, {"voxel-size", "1"}, {"precision", options.precision}}}},
                     ByThemselves::Share::all);
  const auto error = cone_slices_error (chain.filtered (), circle, chain.slices ({0, options.size}));

  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT "^3 voxels from %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT
                         "^2 pixels, %s; u16 in HDF5 to f32 in TIFF, in %s",
                         options.size, options.projections, options.detector, options.precision.c_str (),
                         options.folder.c_str ()));
  report_scan (options, report);
  report.integer ("detector", options.detector);
  report.word ("precision", options.precision);
  chain.report (error, report);

  double no_overlap = 0;
  std::vector<std::string> kernels;
  for (size_t i = 0; i < chain.tasks ().size (); i++) {
    const auto &name = chain.tasks ()[i].type;
    no_overlap += chain.by_themselves ().seconds (i);
    const auto seconds = chain.by_themselves ().kernel_seconds (i);
    if (seconds == 0)
      continue;
    report.row ({"kernels of " + name, seconds_text (seconds), "of its time alone; the rest are transfers and waits"});
    kernels.push_back (quote_json (name) + ": " + json_number (seconds));
  }
  report.literal ("kernel_seconds", "{" + join (kernels) + "}");
  report.duration ("no_overlap_seconds", no_overlap, "no overlap",
                   "the tasks alone, one after the other, each on all data in new memory");
  report.figure ("speedup", no_overlap / chain.seconds (), "speedup", "",
                 "through overlap: of the run relative to that");
}

} // namespace sino::bench
