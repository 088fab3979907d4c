// SPDX-License-Identifier: LGPL-3.0-or-later
// Writing alone.
#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/runs/files.hpp"
#include "bench/runs/limits.hpp"
#include "bench/runs/writing-alone.hpp"

namespace sino::bench {

void bench_write (const BenchOptions &options, Report &report)
{
  if (options.to == "null")
    fail (SINO_ERROR_BAD_PROPERTY, "--to=null: nothing would be written, set it to tiff or hdf5");
  const auto size = static_cast<double> (options.size);
  const auto bytes = 4 * size * size * static_cast<double> (options.slices);
  require_room (options.folder, bytes);
  const FilesFolder files (options.folder);
  const auto alone = writing_alone (files.path ("slices"), options);
  const auto &runs = alone.faster ();
  report_place (options, report);
  report.headline (
      text ("%" G_GINT64_FORMAT " slices of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT ", f32 in %s%s, in %s",
            options.slices, options.size, options.size, options.to == "hdf5" ? "HDF5" : "TIFF",
            options.files > 1 ? text (" with %d files", options.files).c_str () : "", options.folder.c_str ()));
  report.integer ("size", options.size);
  report.integer ("slices", options.slices);
  report.word ("to", options.to);
  report.integer ("files", options.files);
  report_timing (runs.timing, options.runs, report);
  report.figure ("gigabytes_per_second", 1e-9 * bytes / runs.timing.median, "data", " GB/s", "written");
  const auto &counters = runs.statistics.tasks.back ().counters;
  if (const auto found = counters.find ("requests"); found != counters.end ())
    report.figure ("requests", static_cast<double> (found->second), "requests", "", "at a time, at most");
  report.duration ("found_requests_seconds", alone.found.timing.median, "requests found",
                   "with the number of requests that write finds to be fast");
  report.duration ("most_requests_seconds", alone.most.timing.median, "most requests",
                   "with as many requests as write may have; the rows above are of the faster way");
}

} // namespace sino::bench
