// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/trial/trial-run.hpp"
#include "base/threads.hpp"
#include "device/devices.hpp"
#include "graph/json-writer.hpp"
#include "graph/launch.hpp"

namespace sino::monitor {

static RunOptions options_of_page (double aside)
{
  RunOptions options;
  options.aside = aside;
  options.devices = find_devices ("");
  return options;
}

TrialRun::TrialRun (const std::string &line, const std::string &o)
    : graph (parse_launch (line)), out (o), shown (std::make_shared<Watched> (out)),
      run (graph, [aside = shown->bytes ()] { return options_of_page (aside); })
{
  thread = start_thread ([this] { work (); });
}

TrialRun::~TrialRun ()
{
  run.cancel ();
  thread.join ();
}

void TrialRun::work ()
{
  try {
    run.prepare ();
    shown->begin (run);
    run.execute ();
    save_json (graph, out + "/graph.json");
    shown->end ("done", out);
  } catch (const std::exception &failure) {
    shown->end ("failed", failure.what ());
  } catch (const Cancelled &cancelled) {
    shown->end ("cancelled", cancelled.message);
  }
  over = true;
}

} // namespace sino::monitor
