// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/trace.hpp"
#include "base/files/paths.hpp"
#include "base/pointers.hpp"
#include "base/text.hpp"
#include "graph/values.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace sino {

namespace {

// Most spans of a lane, 12 MB. Longer runs are recorded more coarsely.
constexpr size_t most_spans = 1 << 18;

// A time in microseconds with three decimals and a decimal point, in any locale.
std::string microseconds (Trace::Clock::duration time)
{
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds> (time).count ();
  return text ("%" G_GINT64_FORMAT ".%03d", ns / 1000, static_cast<int> (ns % 1000));
}

std::string arguments (const Rows &rows)
{
  return rows.empty () ? "" : text ("\"rows\": \"%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT "\"", rows.begin, rows.end);
}

} // namespace

void Trace::Lane::add (Clock::time_point begin, Clock::time_point end, const Rows &rows)
{
  // Device clocks are compared with the host's from time to time, so a later command may seem to begin or end earlier.
  if (!spans.empty () && begin - spans.back ().end < finest && spans.back ().rows == rows) {
    spans.back ().begin = std::min (spans.back ().begin, begin);
    spans.back ().end = std::max (spans.back ().end, end);
  } else
    spans.push_back ({begin, end, rows});
  if (spans.size () == most_spans)
    coarsen ();
}

void Trace::Lane::coarsen ()
{
  while (spans.size () > most_spans / 2) {
    finest *= 2;
    size_t kept = 0;
    for (size_t i = 1; i < spans.size (); i++)
      if (spans[i].begin - spans[kept].end < finest)
        spans[kept].end = std::max (spans[kept].end, spans[i].end);
      else
        spans[++kept] = spans[i];
    spans.resize (kept + 1);
  }
}

Trace::Lane *Trace::add (const std::string &device, const std::string &name, int pass)
{
  return &lanes.emplace_back (device, name, pass, false);
}

DeviceSpans *Trace::add_queues (const std::string &device, const std::string &name, int pass)
{
  const auto lane = [&] (const char *what) { return &lanes.emplace_back (device, name + " " + what, pass, true); };
  auto *upload = lane ("upload"), *kernels = lane ("kernels"), *download = lane ("download");
  return &queues.emplace_back (upload, kernels, download);
}

void Trace::write ()
{
  const std::unique_ptr<FILE, Deleter<fclose>> out (fopen (file.path ().c_str (), "we"));
  if (!out)
    fail_file ("write", file.final_path (), errno);
  std::vector<std::string> devices;

  fputs ("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n", out.get ());
  for (size_t l = 0; l < lanes.size (); l++) {
    const auto &lane = lanes[l];
    if (lane.of_queue && lane.spans.empty ()) // the queue was not used
      continue;
    const auto pid = static_cast<size_t> (std::ranges::find (devices, lane.device) - devices.begin ());
    if (pid == devices.size ()) {
      devices.push_back (lane.device);
      fprintf (out.get (), "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %zu, \"args\": {\"name\": %s}},\n",
               pid, show_json (lane.device).c_str ());
    }
    const auto name = lane.pass == 0  ? lane.name + ", survey"
                      : lane.pass > 1 ? text ("%s, pass %d", lane.name.c_str (), lane.pass)
                                      : lane.name;
    fprintf (out.get (),
             "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %zu, \"tid\": %zu, \"args\": {\"name\": %s}},\n", pid,
             l, show_json (name).c_str ());
    fprintf (out.get (),
             "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": %zu, \"tid\": %zu, \"args\": {\"sort_index\": "
             "%zu}},\n",
             pid, l, l);
    for (const auto &span : lane.spans)
      fprintf (out.get (),
               "{\"ph\": \"X\", \"name\": %s, \"pid\": %zu, \"tid\": %zu, \"ts\": %s, \"dur\": %s, \"args\": "
               "{%s}},\n",
               show_json (lane.name).c_str (), pid, l, microseconds (span.begin - start).c_str (),
               microseconds (span.end - span.begin).c_str (), arguments (span.rows).c_str ());
  }
  fprintf (out.get (), "{\"ph\": \"i\", \"name\": \"end\", \"s\": \"g\", \"pid\": 0, \"tid\": 0, \"ts\": %s}]}\n",
           microseconds (Clock::now () - start).c_str ());
  if (fflush (out.get ()) != 0 || ferror (out.get ()))
    fail_file ("write", file.final_path (), errno);
  file.commit_new ();
  folders.keep ();
}

} // namespace sino
