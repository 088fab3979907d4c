// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "graph/json-writer.hpp"
#include "plan/net.hpp"

namespace sino::cli {

int check (int argc, char **argv)
{
  Options options;
  const auto entries = run_entries (options, RunOption::Of::plans,
                                    {{"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "Show errors only", nullptr},
                                     {"save", 0, 0, G_OPTION_ARG_FILENAME, &options.save,
                                      "Write the graph to a new graph file, if it is valid", "GRAPH.json"}});
  const auto words = parse (argc, argv, "check GRAPH.json|LINE...",
                            "Checks and plans a graph file or launch line without reading pixels, and shows the output "
                            "of every node (for sinks: the input).\nNo device is used unless --device names one.",
                            entries);
  if (words.empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "check wants a graph file or a launch line");
  const auto graph = load (words, options);
  const auto run = make_run (graph, [&options] { return run_options (options, "native"); });
  if (options.save)
    save_json (graph, options.save);
  if (options.quiet)
    return done;
  ProgressLine (true).say (run->messages ());
  const Confining scope (options);
  const auto formats = negotiate (graph);
  for (const auto place : graph.order ())
    print (title (graph.nodes ()[place]) + ": " + formats[place].describe () + "\n");
  return done;
}

} // namespace sino::cli
