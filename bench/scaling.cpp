// SPDX-License-Identifier: LGPL-3.0-or-later
// Time of the same work with 1, 2, 4 ... threads, one task at a time, for a scan in memory.
#include "base/text.hpp"
#include "bench/stack.hpp"
#include "bench/stages.hpp"
#include "bench/timing.hpp"
#include <algorithm>
#include <cstring>

namespace sino::bench {

namespace {

// Seconds of one task for each number of threads.
struct Series {
  std::string name;
  const char *about;
  std::vector<double> seconds;
  double bytes = 0; // bytes read and written; 0: unknown

  double speed_up (size_t i) const { return seconds[0] / seconds[i]; }
};

class Scaling
{
public:
  explicit Scaling (const BenchOptions &o)
      : options (o), scan (simulated_scan (o, false)), few (simulated_scan (less_of (o), false))
  {
  }

  void measure_with (int threads)
  {
    auto with = options;
    with.threads = threads;
    fourier (with);
    filter (with);
    back_project (with);
  }
  const std::vector<Series> &all () const { return list; }

private:
  const BenchOptions &options;
  const Scan scan, few;
  std::vector<Series> list;

  // Returns options with less work, because back-projection takes long and its work is uniform.
  static BenchOptions less_of (BenchOptions all)
  {
    all.projections = std::min<int64_t> (all.projections, 256);
    all.slices = std::min<int64_t> (all.slices, 32);
    return all;
  }

  Series &add (const std::string &name, const char *about, double seconds)
  {
    auto found = std::ranges::find_if (list, [&] (const Series &s) { return s.name == name; });
    if (found == list.end ())
      found = list.insert (list.end (), {name, about, {}, 0});
    found->seconds.push_back (seconds);
    return *found;
  }
  Series &add (const std::string &name, const char *about, const std::function<void ()> &body)
  {
    return add (name, about, measure (options.runs, body).median);
  }

  void fourier (const BenchOptions &with)
  {
    BenchStack stack (scan, with, {}, 0, "fourier-reconstruct");
    const auto moved = 2 * scan.format->bytes ();
    add ("interleave", "projections into lanes", [&] { stack.pack (); }).bytes = moved;
    const Monitor monitor;
    const Cpu cpu (with.threads, monitor);
    auto to = stack.sinograms ();
    add ("copy", "the same number of bytes, unchanged", [&] { copy (cpu, to); }).bytes = moved;
    stack.pack ();
    add ("fourier-reconstruct", "lanes into slices", [&] { stack.reconstruct (); });
    const auto times = measure_stages (with, stack.sinograms ()[0]);
    const auto slices = static_cast<double> (options.slices);
    add ("  rays", "transforms of rows, filter; stages as if no thread were ever idle", times.rays * slices);
    add ("  spreading", "over the grid", times.spreading * slices);
    add ("  centres", "added up", times.centres * slices);
    add ("  lines", "transforms of the grid's lines", times.lines * slices);
    add ("  rows", "transforms across the lines, storing of slices", times.rows * slices);
  }

  // Copies the data that interleave moves, between the same buffers.
  void copy (const Cpu &cpu, std::vector<Block> &to) const
  {
    constexpr int64_t piece = 128 << 10;
    size_t at = 0; // position in the block of sinograms
    auto block = to.begin ();
    for (const auto &from : scan.blocks)
      for (size_t done = 0; done < from.bytes () && block != to.end ();) {
        const auto n = std::min (from.bytes () - done, block->bytes () - at);
        const auto *source = from.data () + done;
        auto *target = block->data () + at;
        cpu.parallel (divide_up (static_cast<int64_t> (n), piece), 1, [&] (int64_t begin, int64_t end) {
          const auto first = static_cast<size_t> (begin * piece),
                     last = std::min (n, static_cast<size_t> (end * piece));
          std::memcpy (target + first, source + first, last - first);
        });
        done += n;
        at += n;
        if (at == block->bytes ()) {
          at = 0;
          block++;
        }
      }
  }

  void filter (const BenchOptions &with)
  {
    const auto task = make_task ("ramp-filter");
    TaskHarness alone (*task, {scan.format}, {.threads = with.threads});
    const auto filtered = alone.output_blocks (scan.rows (), batch);
    add ("ramp-filter", "rows", [&] { alone.run ({scan.blocks}, filtered); });
  }

  void back_project (const BenchOptions &with)
  {
    BenchStack stack (few, with, {});
    stack.pack ();
    add ("back-project", "lanes into slices, of fewer projections", [&] { stack.reconstruct (); });
  }
};

std::string json (const Series &series, const std::vector<int> &threads)
{
  std::vector<std::string> points;
  for (size_t i = 0; i < threads.size (); i++) {
    auto point = text ("{\"threads\": %d, \"seconds\": %s, \"speed_up\": %s, \"efficiency\": %s", threads[i],
                       json_number (series.seconds[i]).c_str (), json_number (series.speed_up (i)).c_str (),
                       json_number (series.speed_up (i) / threads[i]).c_str ());
    if (series.bytes > 0)
      point += text (", \"gigabytes_per_second\": %s", json_number (1e-9 * series.bytes / series.seconds[i]).c_str ());
    points.push_back (point + "}");
  }
  return "[" + join (points) + "]";
}

void report_table (const std::vector<Series> &all, const std::vector<int> &threads, Report &report)
{
  const auto row = [&] (const std::string &name, const char *about, const auto &cell) {
    std::vector<std::string> cells{name};
    for (size_t i = 0; i < threads.size (); i++)
      cells.push_back (cell (i));
    cells.push_back (about);
    report.row (cells);
  };
  row ("threads", "", [&] (size_t i) { return text ("%d", threads[i]); });
  for (const auto &series : all) {
    row (series.name, series.about, [&] (size_t i) { return seconds_text (series.seconds[i]); });
    row ("", "times faster than one thread, efficiency", [&] (size_t i) {
      return text ("%s, %.0f %%", digits (series.speed_up (i)).c_str (), 100 * series.speed_up (i) / threads[i]);
    });
    if (series.bytes > 0)
      row ("", "GB/s read and written", [&] (size_t i) { return digits (1e-9 * series.bytes / series.seconds[i]); });
  }
}

} // namespace

void bench_scaling (const BenchOptions &options, Report &report)
{
  // Bytes of inputs and outputs, twice, and of grids.
  const auto size = static_cast<double> (options.size), slices = static_cast<double> (options.slices);
  require_memory (options, 4 * size * slices * (2 * static_cast<double> (options.projections) + size) +
                               8 * 16 * 4 * (2 * 1.6 + 1) * size * size);
  Scaling scaling (options);
  const auto threads = thread_counts (options.threads);
  for (const int n : threads)
    scaling.measure_with (n);

  report_place (options, report);
  report.headline (scan_text (options));
  report_scan (options, report);
  for (const auto &series : scaling.all ()) {
    auto key = series.name.substr (series.name.find_first_not_of (' '));
    std::ranges::replace (key, '-', '_');
    report.literal (key.c_str (), json (series, threads));
  }
  report_table (scaling.all (), threads, report);
}

} // namespace sino::bench
