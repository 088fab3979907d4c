// SPDX-License-Identifier: LGPL-3.0-or-later
// Shows the progress of a run on the standard error: a bar if the terminal can draw it, otherwise a line every few
// seconds.
#pragma once
#include "run/run.hpp"
#include <set>

namespace sino::cli {

// A bar with its meaning, redrawn in its line; nothing without a terminal.
class Bar : NoCopy
{
public:
  Bar ();
  ~Bar () { clear (); }

  void show (double fraction, const std::string &state);
  void clear ();
  void leave (); // keeps the bar and moves to the next line

  const bool terminal;

private:
  bool drawn = false;
};

class ProgressLine
{
public:
  explicit ProgressLine (bool wanted);
  ~ProgressLine () { bar.leave (); }

  void show (const Progress &progress);
  // Prints messages that were not shown yet in lines of their own.
  void say (const std::vector<Message> &messages);

private:
  const bool wanted;
  Bar bar;
  std::set<std::string> said;
  double next; // time of the next update, in seconds of the run
};

// "64 slices in 3.21 s, 1.23 GUPS, peak memory 512 MiB"
std::string summary_text (const Progress &progress, const RunStatistics &statistics);

} // namespace sino::cli
