// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/options.hpp"
#include "base/files/confinement.hpp"
#include "base/json/scanner.hpp"
#include "device/cpu.hpp"
#include "device/devices.hpp"
#include "graph/launch-words.hpp"
#include "graph/properties.hpp"
#include "run/memory.hpp"
#include "run/switches.hpp"
#include "ufo/ufo.hpp"
#include <algorithm>
#include <cstdio>

namespace sino::cli {

Options::~Options ()
{
  g_free (memory);
  g_free (threads);
  g_free (device);
  g_free (device_memory);
  g_free (slice_share);
  g_free (switches);
  g_free (save);
  g_free (trace);
  g_free (progress);
  g_free (watchdog);
  g_free (on_device_error);
  g_free (confine);
  g_free (verify);
  g_free (mpi);
  g_strfreev (settings);
}

std::vector<GOptionEntry> graph_options (Options &o)
{
  return {{"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &o.settings,
           "Set a property of a node, over what the graph says", "NODE.PROPERTY=VALUE"},
          {"confine", 0, 0, G_OPTION_ARG_FILENAME, &o.confine,
           "Refuse a graph that reads or writes outside of a folder, through links as well", "FOLDER"}};
}

std::vector<GOptionEntry> place_options (Options &o)
{
  return {{"memory", 'm', 0, G_OPTION_ARG_FILENAME, &o.memory,
           "Memory to use at most: 512M, 2G, or 80% of what is free", "SIZE"},
          {"threads", 't', 0, G_OPTION_ARG_FILENAME, &o.threads,
           "CPU threads for kernels; all that there are, if not given", "N"},
          {"device", 'd', 0, G_OPTION_ARG_FILENAME, &o.device,
           "native, cl:0, cl:0,cl:1, cl or all; the first OpenCL GPU, else native, if not given", "DEVICE"},
          {"device-memory", 0, 0, G_OPTION_ARG_FILENAME, &o.device_memory,
           "Memory of each OpenCL device to use at most: 512M, 2G; what it has, if not given", "SIZE"},
          {"slice-share", 0, 0, G_OPTION_ARG_FILENAME, &o.slice_share,
           "Share of a device's memory that a cone beam's slices get before its projections (0.5)", "SHARE"},
          {"switch", 0, 0, G_OPTION_ARG_FILENAME, &o.switches,
           "Switch off what makes runs fast, to see what it brings: read-ahead, pinned, local-tile, write-combined, "
           "overlap; devices=N takes the first N",
           "NAME=off,..."}};
}

std::vector<GOptionEntry> resume_options (Options &o)
{
  return {{"resume", 0, 0, G_OPTION_ARG_NONE, &o.resume,
           "Go on where an earlier run of the same was killed, and keep what is finished whatever ends this one",
           nullptr}};
}

std::vector<GOptionEntry> talk_options (Options &o)
{
  return {{"stats", 0, 0, G_OPTION_ARG_NONE, &o.stats, "Show what every node did", nullptr},
          {"trace", 0, 0, G_OPTION_ARG_FILENAME, &o.trace, "Write when every node was at work, as Chrome trace events",
           "FILE.json"},
          {"progress", 0, 0, G_OPTION_ARG_FILENAME, &o.progress,
           "How the run is told of: text, or json: an object per line on the standard output, which has nothing else "
           "then",
           "text|json"},
          {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "Show errors only", nullptr}};
}

std::vector<GOptionEntry> care_options (Options &o)
{
  return {{"strict", 0, 0, G_OPTION_ARG_NONE, &o.strict,
           "End before the volume is computed where the axis that was found is in doubt", nullptr},
          {"on-device-error", 0, 0, G_OPTION_ARG_FILENAME, &o.on_device_error,
           "What a run does where one of several devices fails: continue with the others, which is so if not given, or "
           "stop",
           "continue|stop"},
          {"verify", 0, 0, G_OPTION_ARG_FILENAME, &o.verify,
           "Compute so many slices again on the CPU at the end, and fail where they differ", "N"},
          {"watchdog", 0, 0, G_OPTION_ARG_FILENAME, &o.watchdog,
           "Fail where nothing comes on for so long; 0: never; 300, if not given", "SECONDS"}};
}

std::vector<GOptionEntry> rank_options (Options &o)
{
  return {
      {"mpi", 0, 0, G_OPTION_ARG_FILENAME, &o.mpi,
       "Whether the ranks that mpirun or srun starts work on one run: auto, which is so where there are several, on "
       "or off",
       "auto|on|off"}};
}

std::vector<GOptionEntry> all_options (Options &o)
{
  std::vector<GOptionEntry> all;
  for (const auto &some :
       {graph_options (o), place_options (o), resume_options (o), talk_options (o), care_options (o)})
    all.insert (all.end (), some.begin (), some.end ());
  return all;
}

// `message` is GLib's, "Unknown option --qiet=3".
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

static Syntax *asked = nullptr; // where parse () tells what it is given, instead of parsing

Syntax syntax_of (const Command &command)
{
  Syntax syntax;
  std::string name = command.name;
  char *argv[] = {name.data (), nullptr};
  asked = &syntax;
  try {
    command.main (1, argv);
  } catch (const HelpShown &) {
  } catch (...) {
    asked = nullptr;
    throw;
  }
  asked = nullptr;
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
        help.replace (dots, std::string_view ("\u2026").size (), "..."); // GLib's own; the rest is ASCII
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
  std::vector<const char *> rest (argv + 1, argv + argc);
  if (!rest.empty () && std::string_view (rest[0]) == "--")
    rest.erase (rest.begin ());
  return rest;
}

Setting parse_setting (const std::string &word)
{
  const auto equals = word.find ('=');
  const auto point = equals == word.npos || equals == 0 ? word.npos : word.rfind ('.', equals - 1);
  if (point == word.npos || point == 0 || point + 1 == equals)
    fail (SINO_ERROR_BAD_PROPERTY, "--set wants NODE.PROPERTY=VALUE, got '%s'", word.c_str ());
  return {word.substr (0, point), word.substr (point + 1, equals - point - 1), word.substr (equals + 1)};
}

static Graph with_settings (Graph graph, const Options &options)
{
  for (char **word = options.settings; word && *word; word++) {
    const auto setting = parse_setting (*word);
    set_property (graph.nodes ()[graph.find (setting.node)], setting.property, setting.value);
  }
  graph.order (); // whole
  return graph;
}

Confining::Confining (const Options &options)
{
  if (options.confine)
    monitor.confinement = std::make_shared<const Confinement> (options.confine);
}

Graph load_file (const char *path, const Options &options)
{
  return reading ([&] {
    const auto json = read_json ("graph", path); // wherever it is
    const Confining scope (options);
    return with_settings (ufo::parse_file (path, json), options);
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

static double memory_limit (const std::string &word)
{
  double bytes = 0;
  if (!parse_limit (word, bytes))
    fail (SINO_ERROR_BAD_PROPERTY, "--memory wants a size as 512M, 2G or 80%%, got '%s'", word.c_str ());
  return bytes;
}

static DeviceUse use_of_devices (const Options &options)
{
  DeviceUse use;
  if (options.device_memory && !parse_device_memory (options.device_memory, use.memory))
    fail (SINO_ERROR_BAD_PROPERTY, "--device-memory wants a size as 512M or 2G, got '%s'", options.device_memory);
  if (options.slice_share && !(parse_number (options.slice_share, use.slice_share) &&
                               use.slice_share >= DeviceUse::least_share && use.slice_share <= DeviceUse::most_share))
    fail (SINO_ERROR_BAD_PROPERTY, "--slice-share wants a number from %.2f to %.2f, got '%s'", DeviceUse::least_share,
          DeviceUse::most_share, options.slice_share);
  return use;
}

static int threads (const char *word)
{
  int64_t number = 0;
  if (!parse_integer (word, number) || number < 1 || number > max_threads)
    fail (SINO_ERROR_BAD_PROPERTY, "--threads wants a number from 1 to %d, got '%s'", max_threads, word);
  return static_cast<int> (number);
}

// More than any task takes for a block, also where files come from an archive of tapes.
static constexpr double usual_watchdog = 300;

static double watchdog (const char *word)
{
  double seconds = usual_watchdog;
  if (word && (!parse_number (word, seconds) || !(seconds >= 0 && seconds <= 1e9)))
    fail (SINO_ERROR_BAD_PROPERTY, "--watchdog wants seconds from 0 to 1e9, got '%s'", word);
  return seconds;
}

RunOptions run_options (const Options &options, const char *device)
{
  return reading ([&] {
    RunOptions run;
    run.cluster = options.cluster;
    if (options.memory)
      run.memory = memory_limit (options.memory);
    if (options.threads)
      run.threads = threads (options.threads);
    run.devices = find_devices (options.device ? options.device : device);
    run.use = use_of_devices (options);
    if (options.switches)
      set_switches (run, options.switches);
    if (options.trace)
      run.trace = options.trace;
    run.resume = options.resume;
    run.strict = options.strict;
    run.watchdog = watchdog (options.watchdog);
    if (options.verify)
      run.verify = static_cast<int> (number ("verify", options.verify, 0, 1000000, 0));
    if (options.on_device_error)
      run.goes_on = parse_goes_on ("--on-device-error", options.on_device_error);
    if (options.confine)
      run.confine = options.confine;
    return run;
  });
}

std::unique_ptr<Run> make_run (const Graph &graph, std::function<RunOptions ()> find)
{
  try {
    auto run = std::make_unique<Run> (graph, std::move (find));
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
