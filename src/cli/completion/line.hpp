// SPDX-License-Identifier: LGPL-3.0-or-later
// Completion of launch lines.
#pragma once
#include "cli/completion/words.hpp"
#include <map>

namespace sino::cli {

// Candidates for the word `begun` after `before`, the words of a line; or `begun` contains the whole line so far.
Words line_words (const Words &before, const std::string &begun);

// Node types by node name.
using Types = std::map<std::string, std::string>;
Types nodes_of (const Words &line);

// Candidates NODE.PROPERTY=VALUE for these nodes.
Words settings (const Types &nodes, const std::string &begun);

} // namespace sino::cli
