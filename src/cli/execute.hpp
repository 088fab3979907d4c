// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "cli/events.hpp"

namespace sino::cli {

// What a command adds: facts for the first event, what is left to do after the run, before its summary, and messages.
struct Additions {
  About about;
  std::function<void ()> after;
  std::vector<Message> messages = {}; // of what was found before the run
};

// Saves and runs a graph, with progress, summary and statistics, or events, as asked for.
int execute (const Graph &graph, const Options &options, const Additions &additions = {});

} // namespace sino::cli
