// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/run-page.hpp"
#include "cli/events.hpp"
#include "cli/print.hpp"
#ifdef SINO_HAS_MONITOR
#include "monitor/viewer.hpp"
#endif

namespace sino::cli {

#ifdef SINO_HAS_MONITOR

struct RunPage::Shown {
  std::unique_ptr<monitor::Viewer> viewer;
  RunWatcher *watcher;
};

static auto serve (const Options &options)
{
  auto viewer = reading ([&] { return monitor::Viewer::of_run (options.title, options.page); });
  if (wants_events (options))
    Events::page (viewer->url (), viewer->ssh_line ());
  else // also with --quiet, without which nobody could open it
    print ("page: " + viewer->url () + "\nfrom another computer: " + viewer->ssh_line () + "\n");
  fflush (stdout); // the run may take long
  return viewer;
}

void require_page (const char *) {}

RunPage::RunPage (const Options &options) : shown (options.page ? new Shown{serve (options), nullptr} : nullptr)
{
  if (shown)
    shown->watcher = shown->viewer->watcher ().get ();
}

double RunPage::bytes () const
{
  return shown ? shown->watcher->bytes () : 0;
}

void RunPage::begin (Run &run)
{
  if (shown)
    shown->watcher->begin (run);
}

void RunPage::end (const char *state, const std::string &message)
{
  if (shown)
    shown->watcher->end (state, message);
}

#else

struct RunPage::Shown {
};

void require_page (const char *what)
{
  throw Wrong (
      SINO_ERROR_BAD_PROPERTY,
      text ("%s: this program was built without the page: build it with libsoup 3 and -Dmonitor=enabled", what));
}

RunPage::RunPage (const Options &options)
{
  if (options.page)
    require_page ("--monitor");
}

double RunPage::bytes () const
{
  return 0;
}

void RunPage::begin (Run &) {}

void RunPage::end (const char *, const std::string &) {}

#endif

RunPage::~RunPage () = default;

} // namespace sino::cli
