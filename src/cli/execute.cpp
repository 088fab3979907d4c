// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/execute.hpp"
#include "base/shown.hpp"
#include "cli/energy.hpp"
#include "cli/interrupt.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "cli/run-page.hpp"
#include "glue/facets.hpp"
#include "graph/json-writer.hpp"
#include "graph/snapshot.hpp"
#include <algorithm>

namespace sino::cli {

static std::string statistics_text (const RunStatistics &statistics)
{
  size_t width = 4;
  for (const auto &task : statistics.tasks)
    width = std::max (width, shown (task.node).size ());
  auto out =
      text ("%-*s %10s %10s %10s %10s\n", static_cast<int> (width), "node", "blocks in", "out", "busy s", "waiting s");
  for (const auto &task : statistics.tasks) {
    out += text ("%-*s %10" G_GINT64_FORMAT " %10" G_GINT64_FORMAT " %10.3f %10.3f", static_cast<int> (width),
                 shown (task.node).c_str (), task.blocks_in, task.blocks_out, task.busy, task.waiting);
    for (const auto &[name, count] : task.counters)
      out += text ("  %s=%" G_GINT64_FORMAT, name.c_str (), count);
    out += '\n';
  }
  if (statistics.devices.size () > 1)
    for (const auto &device : statistics.devices)
      out += text ("%s did %" G_GINT64_FORMAT " work item%s, %" G_GINT64_FORMAT " rows\n", device.id.c_str (),
                   device.items, device.items == 1 ? "" : "s", device.rows) +
             (device.failure.empty () ? "" : device.id + " was left out: " + device.failure + "\n");
  for (size_t rank = 0; rank < statistics.ranks.size (); rank++) {
    const auto &share = statistics.ranks[rank];
    out += text ("rank %zu did %" G_GINT64_FORMAT " work item%s, %" G_GINT64_FORMAT " rows\n", rank, share.items,
                 share.items == 1 ? "" : "s", share.rows);
  }
  return out + text ("planned memory %s\n", bytes_text (statistics.planned_memory).c_str ()) +
         energy_lines (statistics.energy, statistics.seconds, statistics.voxels);
}

// Throws for nodes that wait for an embedding program, as they would wait for ever.
static void check_ends (const Graph &graph)
{
  for (const auto &node : graph.nodes ())
    if (facet<Embedded> (*snapshot (node.task.get ())).needs_program ())
      fail (SINO_ERROR_BAD_GRAPH,
            "%s is only for programs that embed the library, and push or pull data; use 'read' and 'write' for files",
            title (node).c_str ());
}

// Runs with a progress display: ProgressLine or Events.
template <class Teller> static void execute_telling (Run &run, Teller &teller)
{
  const Cancelling cancelling (run);
  teller.say (run.messages ());
  try {
    run.execute ([&] (const Progress &progress) {
      teller.say (run.messages ());
      teller.show (progress);
    });
  } catch (const std::exception &failure) {
    teller.say (run.messages ()); // these may contain the reason
    run.abandon (std::string ("the run failed: ") + failure.what ());
    throw;
  } catch (const Cancelled &cancelled) {
    teller.say (run.messages ());
    run.abandon (cancelled.message);
    throw;
  }
}

// Prepares a run, and shows its progress until it ends. The page needs `run` until then, also if this throws.
static void execute_on (RunPage &page, const Graph &graph, const Options &options, const Additions &additions,
                        Events &events, std::unique_ptr<Run> &run)
{
  const bool as_events = wants_events (options);
  run = [&] {
    ProgressLine line (!options.quiet && !as_events);
    return make_run (
        graph,
        [&] {
          auto found = run_options (options);
          found.aside = page.bytes ();
          return found;
        },
        [&line] (const Progress &p) { line.show (p); });
  }();
  if (options.save) // a graph that cannot run should not be saved: it would block the next attempt
    save_json (graph, options.save);
  page.begin (*run);
  if (as_events) {
    events.begin (graph, *run, additions.about);
    events.say (additions.messages);
    execute_telling (*run, events);
  } else {
    ProgressLine line (!options.quiet);
    line.say (additions.messages);
    execute_telling (*run, line);
  }
}

int execute (const Graph &graph, const Options &options, const Additions &additions)
{
  check_ends (graph);
  std::unique_ptr<Run> run;
  Events events;
  RunPage page (options); // before memory is counted
  page.show ([&] { execute_on (page, graph, options, additions, events, run); });
  if (additions.after)
    additions.after ();
  const auto statistics = run->statistics ();
  if (wants_events (options)) {
    events.end (statistics);
    return done;
  }
  if (!options.quiet)
    print (summary_text (run->progress (), statistics) + "\n");
  if (options.stats)
    print (statistics_text (statistics));
  return done;
}

} // namespace sino::cli
