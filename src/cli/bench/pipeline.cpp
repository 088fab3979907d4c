// SPDX-License-Identifier: LGPL-3.0-or-later
// A whole run of a parallel beam.
#include "base/text.hpp"
#include "cli/bench/chain.hpp"
#include "cli/bench/truth.hpp"

namespace sino::cli {

void bench_pipeline (const BenchOptions &options, Report &report)
{
  const Chain chain (options, {{"width", number (options.size)}, {"height", number (options.slices)}},
                     {{"flat-field", {}},
                      {"ramp-filter", {}},
                      {"interleave", {}},
                      {"back-project", {{"precision", options.precision}, {"interpolation", options.interpolation}}}},
                     ByThemselves::Share::first_item);
  const auto filtered = chain.filtered ();
  const auto error = slices_error (filtered, chain.slices (filtered.blocks[0].rows ()));

  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT " slices of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                         " from %" G_GINT64_FORMAT " projections, %s, %s; u16 in HDF5 to f32 in TIFF, in %s",
                         options.slices, options.size, options.size, options.projections, options.precision.c_str (),
                         options.interpolation.c_str (), options.folder.c_str ()));
  report_scan (options, report);
  report.word ("precision", options.precision);
  report.word ("interpolation", options.interpolation);
  chain.report (error, report);
}

} // namespace sino::cli
