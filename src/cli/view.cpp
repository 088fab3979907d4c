// SPDX-License-Identifier: LGPL-3.0-or-later
// The command that serves a page of files.
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/run-page.hpp"
#include "cli/scan-options.hpp"
#ifdef SINO_HAS_MONITOR
#include "monitor/viewer.hpp"
#endif
#include <gio/gio.h>
#include <unistd.h>

namespace sino::cli {

#ifdef SINO_HAS_MONITOR

static Kind kind_named (const char *word)
{
  for (const auto kind : {Kind::projections, Kind::sinograms, Kind::slices})
    if (std::string_view (word) == name_of (kind))
      return kind;
  throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--axes=%s: give projections, sinograms or slices", word));
}

// Opens the page in the browser, if there is a screen.
static void open_browser (const std::string &url)
{
  if (g_getenv ("DISPLAY") || g_getenv ("WAYLAND_DISPLAY"))
    g_app_info_launch_default_for_uri (url.c_str (), nullptr, nullptr); // the address was printed, in any case
}

static int show (const std::vector<const char *> &words, const char *axes, const scan::Wishes &wishes,
                 const char *address, bool stays)
{
  const auto viewer = reading ([&] {
    return monitor::Viewer::open ({words.begin (), words.end ()}, axes ? kind_named (axes) : Kind::other, wishes,
                                  address ? address : "");
  });
  print (viewer->url () + "\n");
  print ("from another computer: " + viewer->ssh_line () + "\n");
  if (!stays)
    open_browser (viewer->url ());
  for (;;)
    pause (); // a signal ends the program: cli/interrupt.hpp
}

#else

static int show (const std::vector<const char *> &, const char *, const scan::Wishes &, const char *, bool)
{
  require_page ("view");
  return wrong;
}

#endif

int view (int argc, char **argv)
{
  const char *address = nullptr, *axes = nullptr;
  gboolean stays = false;
  scan::Wishes wishes;
  auto entries = scan_entries (wishes);
  entries.insert (
      entries.begin (),
      {{"at", 0, 0, G_OPTION_ARG_FILENAME, &address,
        "Where the page is: a port of this machine (any free one, if not given), or a socket as unix:PATH", "PORT"},
       {"axes", 0, 0, G_OPTION_ARG_STRING, &axes,
        "What the images are, if it is not recognized: projections, sinograms or slices", "KIND"},
       {"no-browser", 0, 0, G_OPTION_ARG_NONE, &stays, "Print the address only", nullptr}});
  const auto words = parse (
      argc, argv, "view PATH [PATH]",
      "Shows a scan, a volume or the results of a reconstruction on a page in the browser: slices in three directions, "
      "values, histograms, profiles,\nand a second volume beside it or its difference.\n\n  sinograph view scan.h5\n  "
      "sinograph view scan-slices\n  sinograph view before.h5 after.h5\n\nThe page is for this user on this machine; a "
      "line is printed that opens it from another one. Ctrl-C ends it.",
      entries);
  if (words.empty () || words.size () > 2)
    throw Wrong (SINO_ERROR_BAD_GRAPH, text ("view wants one path or two, got %zu arguments", words.size ()));
  for (const auto *path : words)
    if (!*path)
      throw Wrong (SINO_ERROR_BAD_PROPERTY, "view wants a path, got an empty word");
  return show (words, axes, wishes, address, stays);
}

} // namespace sino::cli
