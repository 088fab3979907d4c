// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/site.hpp"
#include "api/sino-version.h"
#include "base/shown.hpp"
#include "monitor/http/body.hpp"
#include "scan/whole-line.hpp"
#include <filesystem>
#include <json-glib/json-glib.h>

namespace sino::monitor {

void Page::watch (std::shared_ptr<Watched> run)
{
  const std::lock_guard guard (mutex);
  watched = std::move (run);
}

void Page::open_scan (const std::string &path, const scan::Wishes &given)
{
  wishes = &given;
  try {
    trial = std::make_unique<Trial> (path, given);
    trial_path = path;
  } catch (const Error &missing) {
    why_no_trial = missing.what ();
  }
}

std::shared_ptr<Watched> Page::run ()
{
  const std::lock_guard guard (mutex);
  return watched;
}

std::string Page::state ()
{
  Dict dict;
  dict.add ("version", SINO_VERSION).add ("title", title).add ("volumes", gallery.describe ());
  if (trial)
    dict.add ("scan", trial->describe ());
  else if (!why_no_trial.empty ())
    dict.add ("scan", Dict ().add ("error", why_no_trial).end ());
  VariantPtr of_run;
  if (const auto now = run ()) {
    of_run = now->describe ();
    dict.add ("run", of_run.get ());
  }
  const VariantPtr held (g_variant_ref_sink (dict.end ()));
  const CharPtr words (json_gvariant_serialize_data (held.get (), nullptr));
  return words.get ();
}

// A run of the whole scan, with the values of the slice that is seen. Its results lie beside the scan.
Answer Page::start_run (const Request &request)
{
  const Body body (request);
  const auto name = body.text ("output");
  if (name.empty () || name.find ('/') != name.npos || name.starts_with ('.'))
    throw Refused (400, "output must be the name of a folder beside the scan, without '/'");
  const auto out = scan::folder_beside (trial_path) / name;
  std::error_code code;
  if (std::filesystem::exists (std::filesystem::symlink_status (out, code)) &&
      (!std::filesystem::is_directory (out, code) || !std::filesystem::is_empty (out, code) || code))
    throw Refused (409, in_quotes (out.string ()) + " exists: give another name");
  const auto line = scan::whole_line (trial->line (body.words ("values")), *wishes, out.string ());
  const std::lock_guard guard (mutex);
  if (trial_run && !trial_run->ended ())
    throw Refused (409, "a run goes on: cancel it, or wait for its end");
  trial_run.reset ();
  try {
    trial_run = std::make_unique<TrialRun> (line, out.string ());
  } catch (const Error &error) {
    throw Refused (422, error.what ());
  }
  watched = trial_run->watched ();
  Dict dict;
  return Answer::of_json (dict.add ("output", out.string ()).end ());
}

Answer Page::answer (const Request &request, const Monitor &wanted)
{
  if (request.path == "/state" && request.method == "GET")
    return Answer::of_text (state (), "application/json");
  if (auto answer = gallery.answer (request, wanted))
    return *answer;
  if (trial)
    if (auto answer = trial->answer (request, wanted))
      return *answer;
  if (trial && request.path == "/trial/run" && request.method == "POST")
    return start_run (request);
  if (const auto now = run ())
    if (auto answer = now->answer (request, wanted))
      return *answer;
  throw Refused (404, "there is nothing at " + request.path);
}

} // namespace sino::monitor
