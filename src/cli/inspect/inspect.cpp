// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/inspect/scan.hpp"
#include "cli/inspect/text.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "glue/registry.hpp"
#include "graph/node-facts.hpp"
#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace sino::cli {

static GVariant *facts (const std::string &name)
{
  return to_variant (facts_of (name));
}

int inspect (int argc, char **argv)
{
  Options options;
  const auto words = parse (
      argc, argv, "inspect [NODE | SCAN]",
      "Lists all nodes and file formats, or shows a node: its module, its inputs,\nthe formats it takes and gives, "
      "where it runs, and its properties;\nor shows the content of a file or folder, and the launch line to "
      "reconstruct it.\nNodes come from modules in the install folder and in the folders of SINOGRAPH_PLUGIN_PATH.",
      {{"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Write JSON", nullptr},
       {"markdown", 0, 0, G_OPTION_ARG_NONE, &options.markdown, "Write the table of properties as Markdown", nullptr}});
  if (words.size () > 1)
    throw Wrong (SINO_ERROR_BAD_GRAPH, text ("inspect wants one node or scan, got %zu arguments", words.size ()));
  if (options.markdown && (options.json || words.empty ()))
    throw Wrong (SINO_ERROR_BAD_GRAPH, "--markdown wants a node, and cannot be used with --json");
  auto &registry = Registry::get ();
  if (words.empty ()) {
    const auto names = registry.names ();
    if (const auto why = registry.none_text (); !why.empty ())
      throw Error (SINO_ERROR_NOT_FOUND, why);
    fputs ((options.json ? json_lines (Dict::array (names, facts)) : list_text (names) + formats_text ()).c_str (),
           stdout);
    for (const auto &message : registry.refused ())
      fprintf (options.json ? stderr : stdout, "refused: %s\n", message.c_str ());
    return done;
  }
  // Names of nodes contain neither '/' nor '.'; a word that is no node may be a folder.
  const auto names = registry.names ();
  std::error_code code;
  if (const std::string name = words[0];
      name.find_first_of ("/.") != name.npos ||
      (std::ranges::count (names, name) == 0 && std::filesystem::exists (name, code))) {
    if (options.json || options.markdown)
      throw Wrong (SINO_ERROR_BAD_PROPERTY, "--json and --markdown are for nodes");
    print (reading ([&] { return scan_text (name); }));
    return done;
  }
  reading ([&] { registry.find (words[0]); });
  fputs ((options.json       ? json_lines (facts (words[0]))
          : options.markdown ? node_markdown (words[0])
                             : node_text (words[0]) + formats_text (words[0]))
             .c_str (),
         stdout);
  return done;
}

} // namespace sino::cli
