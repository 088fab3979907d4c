// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/events.hpp"
#include "cli/execute.hpp"
#include "cli/together.hpp"
#include <filesystem>

namespace sino::cli {

int run (int argc, char **argv)
{
  Options options;
  const auto files =
      parse (argc, argv, "run GRAPH.json", "Runs a graph file.", run_entries (options, RunOption::Of::ranks));
  if (files.size () != 1)
    throw Wrong (SINO_ERROR_BAD_GRAPH, text ("run wants one graph file, got %zu arguments", files.size ()));
  options.title = std::filesystem::path (files[0]).filename ().string ();
  return together (options,
                   [&] { return telling (options, [&] { return execute (load_file (files[0], options), options); }); });
}

} // namespace sino::cli
