// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/events.hpp"
#include "cli/execute.hpp"
#include "cli/together.hpp"

namespace sino::cli {

int launch (int argc, char **argv)
{
  Options options;
  const auto entries = run_entries (options, RunOption::Of::ranks,
                                    {{"save", 0, 0, G_OPTION_ARG_FILENAME, &options.save,
                                      "Write the graph to a new graph file, then run it", "GRAPH.json"}});
  const auto words = parse (argc, argv, "launch LINE...",
                            "Runs a launch line, such as\n\n  sinograph launch 'read path=scan.h5 ! flat-field ! write "
                            "path=clean.h5'\n  sinograph launch '[read path=scan.tif, read path=darks.tif, read "
                            "path=flats.tif] ! flat-field ! null'\n  sinograph launch 'read name=scan path=scan.h5 ! "
                            "preview path=middle.png   scan. ! null'\n\nas one argument, or as several arguments.",
                            entries);
  if (words.empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "launch wants a launch line");
  options.title = "launch line";
  return together (options,
                   [&] { return telling (options, [&] { return execute (load_line (words, options), options); }); });
}

} // namespace sino::cli
