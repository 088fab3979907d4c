// SPDX-License-Identifier: LGPL-3.0-or-later
// The page about a run that has ended (RunOptions::report): what it collects; run/report makes the page.
#include "api/sino-version.h"
#include "base/error.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include "base/files/temporary.hpp"
#include "base/text.hpp"
#include "glue/facets.hpp"
#include "graph/json-writer.hpp"
#include "graph/launch-writer.hpp"
#include "graph/properties.hpp"
#include "graph/values.hpp"
#include "run/report/geometry.hpp"
#include "run/report/page.hpp"
#include "run/run-state.hpp"
#include "run/run.hpp"
#include <charconv>
#include <cmath>
#include <fstream>
#include <unistd.h>

namespace sino {

namespace {

constexpr size_t largest_picture = 16 << 20; // bytes

std::string number (double value)
{
  char digits[32];
  return std::isfinite (value) ? std::string (digits, std::to_chars (digits, digits + sizeof digits, value).ptr)
                               : "null";
}

using Members = std::vector<std::pair<std::string, std::string>>; // names and JSON

std::string object (const Members &members)
{
  return "{" + join (members, ", ", [] (const auto &m) { return show_json (m.first) + ": " + m.second; }) + "}";
}

std::string texts (const ReportRows &rows)
{
  Members members;
  for (const auto &[name, words] : rows)
    members.emplace_back (name, show_json (words));
  return object (members);
}

std::string time_of (GDateTime *time)
{
  const std::unique_ptr<GDateTime, Deleter<g_date_time_unref>> held (time);
  return CharPtr (g_date_time_format (held.get (), "%F %T %z")).get ();
}

// Whether a node of the net is the node of the graph, or a part of it.
bool belongs (const NetNode &part, const std::string &node)
{
  return part.name == node || part.name.starts_with (node + "/");
}

ReportRows settings_of (const Node &node)
{
  ReportRows rows;
  for (auto *spec : list_properties (G_OBJECT_TYPE (node.task.get ())))
    if (is_set (node.task.get (), spec))
      rows.emplace_back (spec->name, property_text (node.task.get (), spec));
  return rows;
}

std::vector<ReportNode> nodes_of (const Run &run, const RunState &state)
{
  const auto messages = run.messages ();
  const auto groups = state.ample_groups ();
  const auto &device = *groups.front ().devices->front ();
  const auto &net = state.context->net;
  std::vector<ReportNode> nodes;
  for (const auto place : state.graph.order ()) {
    const auto &node = state.graph.nodes ()[place];
    ReportNode found{node.name, node.type, settings_of (node), {}, {}};
    for (const auto &part : net.nodes) {
      if (!belongs (part, node.name))
        continue;
      if (const auto said =
              part.is_sink () ? "" : remark_of (part, device, input_lanes (net, part, groups.front ().layouts));
          !said.empty ())
        found.remark += (found.remark.empty () ? "" : "; ") + (part.name == node.name ? "" : part.name + ": ") + said;
    }
    for (const auto &message : messages)
      if (message.node == node.name || message.node.starts_with (node.name + "/"))
        found.messages.emplace_back (message.text, message.warns);
    nodes.push_back (std::move (found));
  }
  return nodes;
}

// The pictures that the run has written, such as those of 'preview'.
std::vector<std::pair<std::string, std::string>> pictures_of (const Net &net)
{
  std::vector<std::pair<std::string, std::string>> pictures;
  for (const auto &node : net.nodes) {
    if (!node.is_sink ())
      continue;
    const auto outputs = facet<Writes> (*node.task).outputs ();
    if (outputs.size () != 1 || !outputs[0].ends_with (".png"))
      continue;
    std::ifstream file (outputs[0], std::ios::binary);
    const std::string bytes (std::istreambuf_iterator<char> (file), {});
    if (bytes.empty () || bytes.size () > largest_picture)
      continue;
    const CharPtr encoded (g_base64_encode (reinterpret_cast<const guchar *> (bytes.data ()), bytes.size ()));
    pictures.emplace_back (encoded.get (), "picture of " + node.title + ": " + file_name (outputs[0]));
  }
  return pictures;
}

// The name of the scan that is read first, and the time of its newest file.
std::pair<std::string, std::string> scan_of (const RunState &state)
{
  for (const auto &part : state.context->net.nodes) {
    if (!part.is_source ())
      continue;
    int64_t newest = 0, bytes = 0;
    const auto stamps = part.task->files ();
    for (const auto &stamp : stamps) {
      newest = std::max (newest, stamp.seconds);
      bytes += stamp.size;
    }
    std::string path;
    for (const auto &node : state.graph.nodes ())
      if (belongs (part, node.name))
        for (const auto &[name, value] : settings_of (node))
          path = name == "path" ? value : path;
    while (path.size () > 1 && path.ends_with ('/'))
      path.pop_back ();
    const auto name = path.empty () ? part.title : file_name (path);
    if (stamps.empty ())
      return {name, ""};
    return {name, text ("%s: %zu file%s, %s, newest of ", path.c_str (), stamps.size (), stamps.size () == 1 ? "" : "s",
                        bytes_text (static_cast<double> (bytes)).c_str ()) +
                      time_of (g_date_time_new_from_unix_local (newest))};
  }
  return {"a run", ""};
}

ReportRows summary_of (const RunStatistics &statistics)
{
  ReportRows rows{{"duration", text ("%.3f s", statistics.seconds)}};
  const auto add_bytes = [&rows] (const char *name, double bytes) { rows.emplace_back (name, bytes_text (bytes)); };
  if (statistics.updates > 0)
    rows.emplace_back (
        "speed", text ("%.3g GUPS (1e9 voxel updates per second)", statistics.updates / statistics.seconds / 1e9));
  add_bytes ("peak memory", statistics.peak_memory);
  add_bytes ("planned memory", statistics.planned_memory);
  add_bytes ("memory limit", statistics.memory_limit);
  if (!statistics.bottleneck.empty ())
    rows.emplace_back ("longest at work", statistics.bottleneck);
  if (const auto energy = statistics.energy.figures (statistics.seconds, statistics.voxels))
    rows.emplace_back ("energy", text ("%.4g J", energy->joules));
  return rows;
}

ReportRows provenance_of (const RunState &state, const std::string &scan)
{
  ReportRows rows{{"program", "sinograph " SINO_VERSION}};
  if (!scan.empty ())
    rows.emplace_back ("scan", scan);
  std::array<char, 256> host{};
  if (gethostname (host.data (), host.size () - 1) == 0)
    rows.emplace_back ("computer", host.data ());
  for (size_t d = 0; d < state.context->devices.size (); d++) {
    const auto &device = *state.context->devices[d];
    const auto failure = state.context->failure_of (d);
    rows.emplace_back ("device " + device.id, device.name + (failure.empty () ? "" : "; left out: " + failure));
  }
  for (const auto &node : state.context->net.nodes)
    if (node.is_sink ())
      for (const auto &[name, words] : facet<Writes> (*node.task).about ())
        if (name == "output")
          rows.emplace_back ("checksums of " + node.title,
                             "'sinograph verify " + words + "' compares them with the files");
  return rows;
}

std::vector<ReportTime> times_of (const RunStatistics &statistics)
{
  std::vector<ReportTime> times;
  for (const auto &task : statistics.tasks)
    times.push_back ({task.node, task.busy, task.waiting, join (task.counters, ", ", [] (const auto &counter) {
                        return counter.first + " " + std::to_string (counter.second);
                      })});
  return times;
}

std::string json_of (const Report &report, const RunStatistics &statistics, const std::vector<GeometryFact> &geometry)
{
  const auto list = [] (const auto &all, const auto &text_of) { return "[" + join (all, ", ", text_of) + "]"; };
  Members facts;
  for (const auto &fact : geometry)
    facts.emplace_back (fact.name, fact.value ? number (*fact.value) : show_json (fact.text));
  const auto node = [&] (const ReportNode &n) {
    return object ({{"name", show_json (n.name)},
                    {"type", show_json (n.type)},
                    {"settings", texts (n.settings)},
                    {"remark", show_json (n.remark)},
                    {"messages", list (n.messages, [] (const auto &m) {
                       return object ({{"text", show_json (m.first)}, {"warning", m.second ? "true" : "false"}});
                     })}});
  };
  const auto time = [] (const TaskStatistics &t) {
    Members counters;
    for (const auto &[name, n] : t.counters)
      counters.emplace_back (name, std::to_string (n));
    return object ({{"node", show_json (t.node)},
                    {"busy", number (t.busy)},
                    {"waiting", number (t.waiting)},
                    {"counters", object (counters)}});
  };
  return object ({{"sinograph", show_json (SINO_VERSION)},
                  {"scan", show_json (report.scan)},
                  {"state", show_json (report.state)},
                  {"error", show_json (report.error)},
                  {"when", show_json (report.when)},
                  {"seconds", number (statistics.seconds)},
                  {"updates", number (statistics.updates)},
                  {"peak-memory", number (statistics.peak_memory)},
                  {"planned-memory", number (statistics.planned_memory)},
                  {"memory-limit", number (statistics.memory_limit)},
                  {"geometry", object (facts)},
                  {"results", list (report.results, texts)},
                  {"nodes", list (report.nodes, node)},
                  {"times", list (statistics.tasks, time)},
                  {"provenance", texts (report.provenance)},
                  {"line", show_json (report.line)},
                  {"graph", report.graph}});
}

} // namespace

static Report gather_report (const Run &run, const RunState &state, const char *end, const std::string &error)
{
  Report report;
  const auto statistics = run.statistics ();
  const auto [scan, files] = scan_of (state);
  report.scan = scan;
  report.state = end;
  report.error = error;
  report.when = time_of (g_date_time_new_now_local ());
  for (const auto &message : run.messages ())
    if (message.warns)
      report.warnings.push_back (message.title + ": " + message.text);
  for (const auto &node : state.context->net.nodes)
    if (node.is_sink ())
      if (auto facts = facet<Writes> (*node.task).about (); !facts.empty ())
        report.results.push_back (std::move (facts));
  if (error.empty ())
    report.pictures = pictures_of (state.context->net);
  const auto geometry = geometry_facts (state.context->net);
  for (const auto &fact : geometry)
    report.geometry.emplace_back (fact.name, fact.text);
  report.nodes = nodes_of (run, state);
  report.summary = summary_of (statistics);
  report.times = times_of (statistics);
  report.provenance = provenance_of (state, files);
  report.line = "sinograph launch " + shell_word (launch_line (state.graph));
  report.graph = to_json (state.graph, show_json);
  report.json = json_of (report, statistics, geometry);
  return report;
}

static void check_place (const std::string &path)
{
  check_output (path, true);
  if (access (path.c_str (), F_OK) == 0 && !is_report (path))
    fail (SINO_ERROR_EXISTS, "'%s' exists and is no report of sinograph: choose another name or remove it",
          path.c_str ());
}

void RunState::check_report () const
{
  if (!options.report.empty ())
    check_place (options.report);
}

// All at once or not at all. The report of a run that failed is only written into a folder that exists, so that a run
// without results leaves nothing. In a cluster the first rank writes it.
void Run::write_report (const char *end, const std::string &error) const
{
  const auto &path = state->options.report;
  if (path.empty () || (state->context->cluster && !state->context->cluster->leads ()) ||
      (!error.empty () && access (folder_of (path).c_str (), F_OK) != 0))
    return;
  const auto page = page_of (gather_report (*this, *state, end, error));
  check_place (path); // another file may have come there since
  MadeFolders folders (path);
  Temporary file (path);
  file.write (page);
  file.commit (true);
  folders.keep ();
}

// The error of the run counts, not one of its report.
void Run::report_failure (const char *end, const std::string &error) const noexcept
{
  try {
    write_report (end, error);
  } catch (...) { // NOLINT(bugprone-empty-catch)
  }
}

} // namespace sino
