// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/events.hpp"
#include "api/sino-enums.h"
#include "api/sino-version.h"
#include "api/statistics.hpp"
#include "base/shown.hpp"
#include "cli/json.hpp"
#include "plan/plan.hpp"
#include <algorithm>
#include <cstdio>

namespace sino::cli {

bool wants_events (const Options &options)
{
  const std::string_view word = options.progress ? options.progress : "text";
  if (word != "text" && word != "json")
    throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--progress wants text or json, got '%s'", options.progress));
  if (word == "json" && options.quiet)
    throw Wrong (SINO_ERROR_BAD_PROPERTY, "--progress=json and --quiet cannot be used together");
  return word == "json";
}

// Writes whole lines and flushes them, for a reader that waits. A closed output is reported at the end.
static void tell (Dict &event)
{
  fputs ((json_line (event.end ()) + "\n").c_str (), stdout);
  fflush (stdout);
}

void Events::begin (const Graph &graph, const Run &run, const About &about)
{
  Dict event;
  event.add ("event", "begin").add ("version", SINO_VERSION);
  for (const auto &[name, value] : about)
    event.add (name, value);
  event.add ("nodes", graph.nodes (),
             [] (const Node &node) { return Dict ().add ("name", node.name).add ("type", node.type).end (); });
  double seconds = 0;
  for (const auto &pass : run.plan ().passes)
    seconds += pass.expected.seconds;
  event.add ("slices-total", run.progress ().slices_total)
      .add ("planned-memory", run.plan ().peak)
      .add ("expected-seconds", seconds);
  tell (event);
}

void Events::say (const std::vector<Message> &messages)
{
  for (const auto &message : messages)
    if (said.emplace (message.node, message.text).second) {
      Dict event;
      event.add ("event", "message")
          .add ("node", message.node)
          .add ("level", message.warns ? "warning" : "info")
          .add ("text", shown_lines (message.text));
      tell (event);
    }
}

void Events::show (const Progress &p)
{
  Dict event;
  event.add ("event", "progress")
      .add ("fraction", p.fraction ())
      .add ("slices-done", p.slices_done)
      .add ("slices-total", p.slices_total)
      .add ("seconds", p.seconds);
  if (p.frames_total > 0)
    event.add ("frames-done", p.frames_done).add ("frames-total", p.frames_total);
  tell (event);
}

void Events::end (const RunStatistics &statistics)
{
  const VariantPtr held (to_variant (statistics));
  Dict event;
  event.add ("event", "end").add ("seconds", statistics.seconds).add ("statistics", held.get ());
  tell (event);
}

void Events::page (const std::string &url, const std::string &ssh)
{
  Dict event;
  event.add ("event", "page").add ("url", url).add ("ssh", ssh);
  tell (event);
}

void Events::error (const char *code, const std::string &message, int status)
{
  Dict event;
  event.add ("event", "error").add ("code", code).add ("message", shown_lines (message)).add ("status", status);
  tell (event);
}

const char *code_of (const Error &error)
{
  const std::unique_ptr<GEnumClass, Deleter<g_type_class_unref>> codes (
      static_cast<GEnumClass *> (g_type_class_ref (SINO_TYPE_ERROR)));
  const auto *known = g_enum_get_value (codes.get (), error.code);
  return known ? known->value_nick : "failed"; // the text is static
}

} // namespace sino::cli
