// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include <cstdio>

namespace sino::cli {

int plan (int argc, char **argv)
{
  Options options;
  const auto entries =
      run_entries (options, RunOption::Of::plans,
                   {{"dot", 0, 0, G_OPTION_ARG_NONE, &options.dot, "Show the plan as a graph for Graphviz", nullptr},
                    {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Write JSON", nullptr}});
  const auto words =
      parse (argc, argv, "plan GRAPH.json|LINE...",
             "Shows how a graph file or launch line would run: passes, work items, buffers and memory.", entries);
  if (words.empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "plan wants a graph file or a launch line");
  if (options.dot && options.json)
    throw Wrong (SINO_ERROR_BAD_PROPERTY, "--dot and --json cannot be used together");
  const auto run = make_run (load (words, options), [&options] { return run_options (options); });
  ProgressLine (true).say (run->messages ());
  if (options.json) {
    const VariantPtr plan (run->plan_variant ());
    fputs (json_lines (plan.get ()).c_str (), stdout);
  } else {
    print (options.dot ? run->dot () : run->describe ());
  }
  return done;
}

} // namespace sino::cli
