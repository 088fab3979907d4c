// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/options.hpp"
#include "base/files/confinement.hpp"
#include "base/json/scanner.hpp"
#include "cli/interrupt.hpp"
#include "graph/launch-words.hpp"
#include "graph/properties.hpp"
#include "scan/line.hpp"
#include "ufo/ufo.hpp"
#include <algorithm>
#include <cstdio>

namespace sino::cli {

// The default of an option in commands; "" if there is none.
static std::string usual (const RunOption &option)
{
  const auto &more = option.more;
  if (more.of_commands)
    return more.of_commands;
  return more.usual != 0 ? text ("%g", more.usual) : more.usual_word;
}

std::vector<GOptionEntry> run_entries (Options &o, RunOption::Of most, std::vector<GOptionEntry> entries)
{
  if (most > RunOption::Of::nodes)
    entries.push_back ({"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &o.settings,
                        "Set a property of a node, instead of the value in the graph", "NODE.PROPERTY=VALUE"});
  for (size_t i = 0; i < option_table.size (); i++) {
    const auto &option = option_table[i];
    if (option.of > most)
      continue;
    const auto otherwise = usual (option);
    const auto help = otherwise.empty () ? option.help : option.help + (" (" + otherwise + ")");
    entries.push_back ({option.name, option.letter, 0, option.value ? G_OPTION_ARG_FILENAME : G_OPTION_ARG_NONE,
                        option.value ? static_cast<void *> (&o.words[i]) : &o.flags[i], g_intern_string (help.c_str ()),
                        option.value});
  }
  if (most < RunOption::Of::runs)
    return entries;
  entries.push_back ({"stats", 0, 0, G_OPTION_ARG_NONE, &o.stats, "Show statistics of every node", nullptr});
  entries.push_back (
      {"progress", 0, 0, G_OPTION_ARG_FILENAME, &o.progress,
       "How to report the run: text, or json: one object per line on the standard output, and nothing else",
       "text|json"});
  entries.push_back (
      {"monitor", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_FILENAME, &o.page,
       "Show the run on a page in the browser, at a port of this machine (any free one, if not given) or "
       "at a socket as unix:PATH",
       "PORT"});
  entries.push_back ({"quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "Show errors only", nullptr});
  return entries;
}

// `message` is from GLib: "Unknown option --qiet=3".
[[noreturn]] static void refuse_unknown (const std::string &message, const std::string &command,
                                         const std::vector<GOptionEntry> &entries)
{
  const auto option = message.substr (std::min (message.find (" -") + 1, message.size ()));
  std::vector<std::string> names{"help"};
  for (const auto &entry : entries)
    if (entry.long_name)
      names.push_back (entry.long_name);
  const auto near = option.starts_with ("--") ? nearest (option.substr (2, option.find ('=') - 2), names) : "";
  throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("no option '%s': ", option.c_str ()) +
                                            (near.empty () ? "'sinograph " + command + " --help' lists them"
                                                           : "did you mean '--" + near + "'?"));
}

// Gives options whose value may be left out an empty one: GLib knows this only of callbacks.
static void give_optional_values (std::vector<GOptionEntry> &entries, int argc, char **argv)
{
  for (auto &entry : entries) {
    if (!(entry.flags & G_OPTION_FLAG_OPTIONAL_ARG))
      continue;
    entry.flags &= ~G_OPTION_FLAG_OPTIONAL_ARG;
    const auto option = std::string ("--") + entry.long_name;
    for (int i = 1; i < argc && argv[i] != std::string_view ("--"); i++)
      if (argv[i] == option)
        argv[i] = const_cast<char *> (g_intern_string ((option + "=").c_str ()));
  }
}

static Syntax *asked = nullptr; // if set, parse () records the options there instead of parsing

Syntax syntax_of (const Command &command)
{
  Syntax syntax;
  std::string name = command.name;
  char *argv[] = {name.data (), nullptr};
  asked = &syntax;
  const AtEnd parse_again ([] { asked = nullptr; });
  try {
    command.main (1, argv);
  } catch (const HelpShown &) {
  }
  return syntax;
}

std::vector<const char *> parse (int argc, char **argv, const std::string &usage, const char *about,
                                 std::vector<GOptionEntry> entries)
{
  const auto space = std::min (usage.find (' '), usage.size ());
  if (asked) {
    asked->usage = usage.substr (std::min (space + 1, usage.size ()));
    asked->about = about;
    for (const auto &entry : entries)
      asked->options.push_back (
          {entry.long_name, entry.description, entry.arg_description ? entry.arg_description : "", entry.short_name});
    throw HelpShown ();
  }
  give_optional_values (entries, argc, argv);
  g_set_prgname (("sinograph " + usage.substr (0, space)).c_str ());
  const std::unique_ptr<GOptionContext, Deleter<g_option_context_free>> context (
      g_option_context_new (usage.substr (space).c_str ()));
  g_option_context_set_summary (context.get (), about);
  entries.push_back ({});
  g_option_context_add_main_entries (context.get (), entries.data (), nullptr);
  for (int i = 1; i < argc && argv[i] != std::string_view ("--"); i++)
    if (argv[i] == std::string_view ("--help") || argv[i] == std::string_view ("-h")) {
      std::string help = CharPtr (g_option_context_get_help (context.get (), true, nullptr)).get ();
      if (const auto dots = help.find ("\u2026"); dots != help.npos)
        help.replace (dots, std::string_view ("\u2026").size (), "..."); // GLib's own; other text is ASCII
      fputs (help.c_str (), stdout);
      throw HelpShown ();
    }
  GError *failure = nullptr;
  if (!g_option_context_parse (context.get (), &argc, &argv, &failure)) {
    const ErrorPtr error (failure);
    if (g_error_matches (failure, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
      refuse_unknown (failure->message, usage.substr (0, space), entries);
    throw Wrong (SINO_ERROR_BAD_PROPERTY, failure->message);
  }
  for (const auto &entry : entries)
    if (entry.long_name && (entry.arg == G_OPTION_ARG_FILENAME || entry.arg == G_OPTION_ARG_STRING)) {
      auto *word = static_cast<const char **> (entry.arg_data);
      *word = g_intern_string (CharPtr (const_cast<char *> (*word)).get ());
    }
  std::vector<const char *> rest (argv + 1, argv + argc);
  if (!rest.empty () && std::string_view (rest[0]) == "--")
    rest.erase (rest.begin ());
  return rest;
}

static Graph with_settings (Graph graph, const Options &options)
{
  for (char **word = options.settings; word && *word; word++) {
    const auto setting = scan::parse_setting (*word);
    set_property (graph.nodes ()[graph.find (setting.node)], setting.property, setting.value);
  }
  graph.order (); // checks that it is complete
  return graph;
}

Confining::Confining (const Options &options)
{
  if (const char *folder = options.words[option_place ("confine")])
    monitor.confinement = std::make_shared<const Confinement> (folder);
}

Graph load_file (const char *path, const Options &options)
{
  return reading ([&] {
    const auto json = read_json ("graph", path); // the user's graph file may lie outside the confined folder
    const Confining scope (options);
    return with_settings (ufo::parse_file (path, json), options); // translates UFO's graphs; others: json-reader
  });
}

Graph load_line (std::span<const char *const> arguments, const Options &options)
{
  return reading ([&] {
    const Confining scope (options);
    return with_settings (ufo::parse_line (join_arguments (arguments)), options);
  });
}

Graph load (std::span<const char *const> arguments, const Options &options)
{
  const std::string_view first = arguments[0];
  const bool file = arguments.size () == 1 && (g_file_test (arguments[0], G_FILE_TEST_EXISTS) ||
                                               (first.ends_with (".json") && first.find (" ! ") == first.npos));
  return file ? load_file (arguments[0], options) : load_line (arguments, options);
}

RunOptions run_options (const Options &options, const char *device)
{
  RunWords words;
  for (size_t i = 0; i < words.size (); i++)
    if (options.flags[i])
      words[i] = "true";
    else if (const char *word = options.word (i))
      words[i] = word;
  if (auto &where = words[option_place ("device")]; !where)
    where = device;
  return reading ([&] { return options_of (words, "--"); });
}

std::unique_ptr<Run> make_run (const Graph &graph, std::function<RunOptions ()> find, const Watch &watch)
{
  try {
    auto run = std::make_unique<Run> (graph, std::move (find));
    if (watch) {
      const Cancelling cancelling (*run);
      run->gather (watch);
    }
    run->prepare ();
    return run;
  } catch (const Error &e) {
    switch (e.code) {
    case SINO_ERROR_BAD_GRAPH:
    case SINO_ERROR_BAD_PROPERTY:
    case SINO_ERROR_NOT_FOUND:
    case SINO_ERROR_BAD_FORMAT:
      throw Wrong (e.code, e.what ());
    default:
      throw;
    }
  }
}

int64_t number (const char *option, const char *word, int64_t least, int64_t most, int64_t otherwise)
{
  int64_t value = otherwise;
  if (word && (!parse_integer (word, value) || value < least || value > most))
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 text ("--%s wants a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", got '%s'", option, least,
                       most, word));
  return value;
}

} // namespace sino::cli
