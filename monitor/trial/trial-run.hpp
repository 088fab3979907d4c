// SPDX-License-Identifier: LGPL-3.0-or-later
// A run that the page has started: the whole scan with the values of a slice by eye.
#pragma once
#include "graph/graph.hpp"
#include "monitor/run/watched.hpp"
#include "run/run.hpp"
#include <thread>

namespace sino::monitor {

class TrialRun : NoCopy
{
public:
  // Starts the run of a launch line, whose results lie in `out`; the graph is saved there at its end. Throws Error.
  TrialRun (const std::string &line, const std::string &out);
  // Cancels it.
  ~TrialRun ();

  const std::shared_ptr<Watched> &watched () const { return shown; }
  bool ended () const { return over; }

private:
  const Graph graph;
  const std::string out;
  const std::shared_ptr<Watched> shown;
  Run run;
  std::atomic<bool> over{false};
  std::thread thread;

  void work ();
};

} // namespace sino::monitor
