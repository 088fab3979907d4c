// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/events.hpp"
#include "cli/execute.hpp"
#include "cli/together.hpp"
#include <algorithm>
#include <iterator>

namespace sino::cli {

int run (int argc, char **argv)
{
  Options options;
  auto entries = rank_options (options);
  std::ranges::move (all_options (options), std::back_inserter (entries));
  const auto files = parse (argc, argv, "run GRAPH.json", "Runs a graph file.", entries);
  if (files.size () != 1)
    throw Wrong (SINO_ERROR_BAD_GRAPH, text ("run wants one graph file, got %zu arguments", files.size ()));
  return together (options,
                   [&] { return telling (options, [&] { return execute (load_file (files[0], options), options); }); });
}

} // namespace sino::cli
