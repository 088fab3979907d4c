// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/progress.hpp"
#include "base/text.hpp"
#include "cli/print.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sino::cli {

namespace {

constexpr double redraw = 0.25, repeat = 3; // seconds between two updates of the bar, and between two lines

std::string time_text (double seconds)
{
  const auto whole = static_cast<long> (std::ceil (seconds));
  return whole < 60     ? text ("%ld s", whole)
         : whole < 3600 ? text ("%ld:%02ld min", whole / 60, whole % 60)
                        : text ("%ld:%02ld h", whole / 3600, whole / 60 % 60);
}

double gups (double updates, double seconds)
{
  return seconds > 0 ? updates / seconds * 1e-9 : 0;
}

// "45 %, 29 of 64 slices, 1.23 GUPS, 12 s left"
std::string state_text (const Progress &p)
{
  const double fraction = p.fraction ();
  const auto frames = static_cast<long long> (p.frames_done), all = static_cast<long long> (p.frames_total);
  if (p.total == 0) // the scan has to come first
    return text ("%lld frames have come", frames);
  auto out = text ("%3.0f %%", std::floor (100 * fraction));
  if (frames < all)
    out += text (", %lld of %lld frames", frames, all);
  if (p.slices_total > 0)
    out += text (", %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " slices", p.slices_done, p.slices_total);
  if (p.updates_done > 0)
    out += text (", %.3g GUPS", gups (p.updates_done, p.seconds));
  if (fraction > 0 && fraction < 1)
    out += text (", %s left", time_text (p.seconds * (1 - fraction) / fraction).c_str ());
  return out;
}

size_t terminal_width ()
{
  winsize size{};
  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string bar_text (double fraction, const std::string &state)
{
  const auto width = terminal_width ();
  if (width < state.size () + 14)
    return state.substr (0, width - 1);
  const auto length = std::min<size_t> (width - state.size () - 4, 40);
  const auto full = static_cast<size_t> (fraction * static_cast<double> (length));
  return "[" + std::string (full, '=') + std::string (length - full, ' ') + "] " + state;
}

} // namespace

// Whether the standard error is a terminal that can return to the begin of the line and clear it.
static bool has_terminal ()
{
  const char *kind = std::getenv ("TERM");
  return isatty (STDERR_FILENO) && kind && *kind && std::string_view (kind) != "dumb";
}

Bar::Bar () : terminal (has_terminal ()) {}

void Bar::show (double fraction, const std::string &state)
{
  if (!terminal)
    return;
  fprintf (stderr, "\r%s\033[K", bar_text (fraction, state).c_str ());
  fflush (stderr);
  drawn = true;
}

void Bar::clear ()
{
  if (drawn)
    fputs ("\r\033[K", stderr);
  drawn = false;
}

void Bar::leave ()
{
  if (drawn)
    fputc ('\n', stderr);
  drawn = false;
}

ProgressLine::ProgressLine (bool w) : wanted (w), next (bar.terminal ? 0 : repeat) {}

void ProgressLine::show (const Progress &p)
{
  const bool last = bar.terminal && p.total > 0 && p.done >= p.total;
  if (!wanted || (p.seconds < next && !last))
    return;
  next = p.seconds + (bar.terminal ? redraw : repeat);
  const auto state = state_text (p);
  if (bar.terminal)
    bar.show (p.fraction (), state);
  else
    complain (state);
}

void ProgressLine::say (const std::vector<Message> &messages)
{
  for (const auto &message : messages) {
    const auto line = message.title + ": " + message.text;
    if (!wanted || !said.insert (line).second)
      continue;
    bar.clear ();
    complain (line);
  }
}

std::string summary_text (const Progress &progress, const RunStatistics &statistics)
{
  std::string out = progress.slices_total > 0 ? text ("%" G_GINT64_FORMAT " slices", progress.slices_done) : "done";
  out += text (" in %.2f s", statistics.seconds);
  if (statistics.updates > 0)
    out += text (", %.3g GUPS", gups (statistics.updates, statistics.seconds));
  return out + text (", peak memory %s", bytes_text (statistics.peak_memory).c_str ());
}

} // namespace sino::cli
