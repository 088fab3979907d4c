// SPDX-License-Identifier: LGPL-3.0-or-later
// Completion of launch lines.
#pragma once
#include "cli/completion/words.hpp"
#include <map>

namespace sino::cli {

// What may stand next behind `before`, the words of a line, where `begun` has been written; or all of the line has been
// written into `begun`.
Words line_words (const Words &before, const std::string &begun);

// Types by the names of nodes.
using Types = std::map<std::string, std::string>;
Types nodes_of (const Words &line);

// NODE.PROPERTY=VALUE for these nodes.
Words settings (const Types &nodes, const std::string &begun);

} // namespace sino::cli
