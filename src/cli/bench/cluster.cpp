// SPDX-License-Identifier: LGPL-3.0-or-later
// What one reconstruction would take on 1, 2, 4 ... nodes like this machine: a prediction.
#include "base/text.hpp"
#include "cli/bench/cluster-rates.hpp"
#include "cli/bench/cluster-words.hpp"
#include "cli/bench/timing.hpp"
#include "plan/rates.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

constexpr double bytes_of_count = 2, bytes_of_value = 4; // u16 are read, f32 are written

struct ClusterPrediction {
  StatedCluster cluster;
  ClusterScan scan;
  std::vector<std::string> stated;
  std::optional<SliceRate> measured;
  std::vector<ClusterTime> times;
  double updates; // 1e9, of all slices

  bool states (const char *name) const { return std::ranges::find (stated, name) != stated.end (); }
  double gups (const ClusterTime &time) const { return updates / time.seconds; }
  double node_gups () const { return updates / (static_cast<double> (scan.slices) * scan.slice_seconds); }
  double speed_up (const ClusterTime &time) const { return times[0].seconds / time.seconds; }
  double efficiency (const ClusterTime &time) const { return speed_up (time) / static_cast<double> (time.nodes); }
};

ClusterScan scan_of (const BenchOptions &options)
{
  const auto size = static_cast<double> (options.size);
  ClusterScan scan;
  scan.slices = options.slices;
  scan.projections = static_cast<double> (options.projections);
  scan.row_bytes = bytes_of_count * size;
  scan.reduced_bytes = 2 * bytes_of_value * size * static_cast<double> (options.slices); // a dark and a flat
  scan.slice_bytes = options.to == "null" ? 0 : bytes_of_value * size * size;
  scan.slice_files = options.to == "tiff" ? 2 : 0; // created under another name and given its own
  return scan;
}

ClusterPrediction predict (const BenchOptions &options)
{
  ClusterPrediction all;
  all.cluster = parse_cluster (options.cluster.empty () ? nullptr : options.cluster.c_str (), all.stated);
  all.scan = scan_of (options);
  const auto size = static_cast<double> (options.size);
  const auto slice_updates = 1e-9 * size * size * static_cast<double> (options.projections);
  all.updates = slice_updates * static_cast<double> (options.slices);
  if (options.gups > 0) {
    all.scan.slice_seconds = slice_updates / options.gups;
  } else {
    all.measured = measure_slice_rate (options);
    all.scan.slice_seconds = all.measured->seconds_of (options.size, options.projections);
  }
  if (!all.states ("start"))
    all.cluster.start = measure_start (options);
  if (!all.states ("item-time"))
    all.cluster.item_time = options.device->own_memory () > 0 ? Rates::device_item : Rates::item;
  if (!all.states ("item")) {
    const auto planned = plan_item (options);
    all.cluster.most_item = planned.slices;
    if (!all.states ("step"))
      all.cluster.step = planned.step;
  }
  for (const int nodes : thread_counts (options.nodes))
    all.times.push_back (simulate_cluster (all.cluster, all.scan, nodes));
  return all;
}

std::string prediction_json (const ClusterPrediction &all, const ClusterTime &time)
{
  std::vector<std::string> limits;
  for (const char *key : {"computing", "reading", "frames", "writing", "counter", "start-up"}) {
    double most = 0;
    for (const auto &bound : time.bounds)
      if (bound.key == std::string_view (key))
        most = std::max (most, bound.seconds);
    limits.push_back (text ("\"%s\": %s", key, json_number (most).c_str ()));
  }
  return text ("{\"nodes\": %" G_GINT64_FORMAT ", \"items\": %" G_GINT64_FORMAT ", \"item\": %" G_GINT64_FORMAT
               ", \"seconds\": %s, \"speed_up\": %s, \"efficiency\": %s, \"gups\": %s, "
               "\"bound_by\": \"%s\", \"limits\": {%s}}",
               time.nodes, time.items, time.item, json_number (time.seconds).c_str (),
               json_number (all.speed_up (time)).c_str (), json_number (all.efficiency (time)).c_str (),
               json_number (all.gups (time)).c_str (), time.too_few_items () ? "work-items" : time.largest ().key,
               join (limits).c_str ());
}

std::string bound_text (const ClusterTime &time)
{
  const std::string about = time.largest ().about;
  return time.too_few_items () ? "too few work items, then " + about : about;
}

void report_rates (const ClusterPrediction &all, const BenchOptions &options, Report &report)
{
  const auto &measured = all.measured;
  report.headline (measured ? text ("A node like this one: %s GUPS, %s a slice, by %s runs of %" G_GINT64_FORMAT
                                    " slices of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " from %" G_GINT64_FORMAT
                                    " projections",
                                    digits (all.node_gups ()).c_str (), seconds_text (all.scan.slice_seconds).c_str (),
                                    measured->fourier ? "fourier" : "direct", measured->slices, measured->size,
                                    measured->size, measured->projections)
                            : text ("A node of %s GUPS, as stated, %s a slice", digits (options.gups).c_str (),
                                    seconds_text (all.scan.slice_seconds).c_str ()));
  report.word ("rate", measured ? "measured" : "stated");
  if (measured) {
    report.word ("reconstruction", measured->fourier ? "fourier" : "direct");
    report.literal ("measured", text ("{\"size\": %" G_GINT64_FORMAT ", \"projections\": %" G_GINT64_FORMAT
                                      ", \"slices\": %" G_GINT64_FORMAT ", \"seconds_per_slice\": %s}",
                                      measured->size, measured->projections, measured->slices,
                                      json_number (measured->seconds).c_str ()));
  }
  report.number ("node_gups", all.node_gups ());
  report.number ("seconds_per_slice", all.scan.slice_seconds);
}

std::string items_text (const ClusterPrediction &all)
{
  const auto &c = all.cluster;
  return c.item > 0 ? text ("%.0f slices", c.item)
                    : text ("%.0f slices, or fewer for four to a node, by %.0f", c.most_item, c.step);
}

void report_cluster (const ClusterPrediction &all, Report &report)
{
  const auto &c = all.cluster;
  report.headline (text ("start %s%s, %s for the launcher, %s an item of %s", seconds_text (c.start).c_str (),
                         all.states ("start") ? "" : " (measured)", seconds_text (c.launch).c_str (),
                         seconds_text (c.item_time).c_str (), items_text (all).c_str ()));
  report.headline (
      text ("a file system of %g GB/s read, %g GB/s written, %g GB/s a node, %g ms a request, %.0f of them in "
            "flight, %.0f files/s",
            1e-9 * c.read, 1e-9 * c.write, 1e-9 * c.link, 1e3 * c.latency, c.requests, c.metadata));
  report.headline (text ("a counter of %g us, %.0f/s; %.0f darks and flats, which one node reads for all",
                         1e6 * c.counter_latency, c.counter_rate, c.frames));
  std::vector<std::string> values;
  for (const auto &word : cluster_words ())
    values.push_back (text ("\"%s\": %s", word.name, json_number (c.*word.value / word.scale).c_str ()));
  report.literal ("cluster", "{" + join (values) + "}");
}

} // namespace

void bench_cluster (const BenchOptions &options, Report &report)
{
  const auto all = predict (options);
  report_place (options, report);
  report.headline (text ("A prediction for %" G_GINT64_FORMAT " slices of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                         " from %" G_GINT64_FORMAT " projections, u16 in HDF5 to %s",
                         options.slices, options.size, options.size, options.projections,
                         options.to == "null"   ? "null"
                         : options.to == "hdf5" ? "f32 in one HDF5 file"
                                                : "f32 in TIFF"));
  report_scan (options, report);
  report.word ("to", options.to);
  report_rates (all, options, report);
  report_cluster (all, report);
  report.row ({"nodes", "work items", "time", "speed-up", "efficiency", "GUPS", "bound by"});
  std::vector<std::string> list;
  for (const auto &time : all.times) {
    report.row ({text ("%" G_GINT64_FORMAT, time.nodes),
                 text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, time.items, time.item), seconds_text (time.seconds),
                 digits (all.speed_up (time)), digits (100 * all.efficiency (time)) + " %", digits (all.gups (time)),
                 bound_text (time)});
    list.push_back (prediction_json (all, time));
  }
  report.literal ("times", "[" + join (list) + "]");
  report.remark ("Simulated from rates, not measured on a cluster. What is stated above is changed by --cluster.");
}

} // namespace sino::cli
