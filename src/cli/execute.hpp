// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "cli/events.hpp"

namespace sino::cli {

// A command's additions: data for the first event, work after the run and before its summary, and messages.
struct Additions {
  About about;
  std::function<void ()> after;
  std::vector<Message> messages = {}; // found before the run
};

// Saves and runs a graph, with progress, summary and statistics, or events, as requested.
int execute (const Graph &graph, const Options &options, const Additions &additions = {});

} // namespace sino::cli
