// SPDX-License-Identifier: LGPL-3.0-or-later
// The command 'tune': finds the fastest OpenCL kernels of nodes that give the right result on a device, and saves them
// for later runs of this user.
#include "base/files/output-file.hpp"
#include "base/files/temporary.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "bench/tune/search.hpp"
#include "bench/tune/words.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "device/devices.hpp"
#include "families/tuned.hpp"
#include "families/tuning-table.hpp"
#include <algorithm>
#include <cstdio>

namespace sino::bench {

using namespace cli;

namespace {

std::string table (const Search &search, const char *unit)
{
  auto sorted = search.all;
  std::ranges::stable_sort (sorted, [] (const auto &a, const auto &b) { return a.speed > b.speed; });
  Report report;
  report.row ({unit, "times reference", "error", "way"});
  constexpr size_t most = 20;
  for (size_t i = 0; i < sorted.size (); i++)
    if (sorted[i].fault.empty () && i < most)
      report.row ({digits (sorted[i].speed), digits (sorted[i].speed / search.reference_speed),
                   digits (sorted[i].error), sorted[i].candidate.text ()});
  for (const auto &found : sorted)
    if (!found.fault.empty () && std::ranges::none_of (found.fault, [] (char c) { return c == '\n'; }))
      report.remark (found.candidate.text () + ": " + found.fault);
  return report.text ();
}

double seconds_in (const char *word)
{
  std::string digits = word;
  double unit = 1;
  if (digits.ends_with ('m'))
    unit = 60;
  if (digits.ends_with ('m') || digits.ends_with ('s'))
    digits.pop_back ();
  double value = 0;
  if (!parse_number (digits, value) || !(value > 0) || value * unit > 86400)
    throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--budget wants seconds or minutes, as 60s or 5m, got '%s'", word));
  return value * unit;
}

// Command-line values; null if not given.
struct Words {
  const char *node = nullptr, *size = nullptr, *projections = nullptr, *slices = nullptr, *lanes = nullptr,
             *budget = nullptr, *target = nullptr;
};

// The common settings of the search for all nodes.
Aims aims_of (const Options &options, const Words &words)
{
  const auto run = run_options (options);
  if (run.devices.size () != 1)
    throw Wrong (SINO_ERROR_DEVICE, text ("tune takes one device, got '%s'", options.words[option_place ("device")]));
  Aims aims{};
  auto &bench = aims.bench;
  aims.lanes = static_cast<int> (cli::number ("lanes", words.lanes, 1, 32, 0));
  if ((aims.lanes & (aims.lanes - 1)) != 0)
    throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--lanes wants 1, 2, 4, 8, 16 or 32, got '%s'", words.lanes));
  aims.budget = seconds_in (words.budget ? words.budget : "60s");
  bench.device = run.devices[0];
  bench.threads = run.threads > 0 ? run.threads : usable_cpus ();
  bench.size = cli::number ("size", words.size, 16, 65536, 1024);
  bench.projections = cli::number ("projections", words.projections, 1, 1000000, bench.size);
  bench.slices = cli::number ("slices", words.slices, 1, 1024, 16);
  require_memory (bench, 4.0 * static_cast<double> (bench.size * bench.slices) *
                             static_cast<double> (bench.projections + 2 * bench.size));
  return aims;
}

// The requested node, or all.
std::vector<TunedNode> wanted_nodes (const std::vector<TunedNode> &all, const char *name, const Device &device)
{
  std::vector<TunedNode> list;
  for (const auto &node : all)
    if (name ? node.name == name : node.runs)
      list.push_back (node);
  if (name && examines_scan (name))
    throw Wrong (SINO_ERROR_NOT_FOUND,
                 text ("'%s' examines the scan before a run, so it cannot be tuned alone: set variant= and "
                       "variant-parameters= of the node",
                       name));
  const bool native = device.kind == Device::Kind::native;
  if (list.empty () || native)
    throw Wrong (SINO_ERROR_NOT_FOUND,
                 text ("%s nothing to tune on %s (%s)%s", name ? text ("'%s' has", name).c_str () : "there is",
                       device.id.c_str (), device.name.c_str (),
                       native && !list.empty ()
                           ? ": its kernels depend only on the instruction set of the CPU; give --device"
                           : ""));
  return list;
}

// Creates the file before the search, so that an unwritable path is reported at once.
std::optional<Temporary> export_file (const std::string &path)
{
  if (path.empty ())
    return {};
  try {
    check_new (path);
    return std::optional<Temporary> (std::in_place, path);
  } catch (const Error &e) {
    throw Wrong (e.code, std::string ("--export: ") + e.what ());
  }
}

void write_entry (Temporary &target, const std::string &entry)
{
  target.write (entry + "\n");
  target.commit_new ();
}

// Returns the scan to tune with: filtered rows, whose noise is the hardest case for kernels, unless the node filters
// itself, or takes counts or slices. The task negotiates the scan.
Scan scan_for (Task &task, const families::Family &family, const BenchOptions &bench, bool half)
{
  const auto fits = [&] (const Scan &scan) {
    try {
      Format input = *scan.format;
      if (!family.takes_projections && scan.format->kind () == Kind::projections)
        input = make_task ("interleave")->negotiate (std::vector{scan.format.get ()});
      task.negotiate (at_first_port<const Format *> (task, &input));
      return true;
    } catch (const Error &error) {
      if (error.code != SINO_ERROR_BAD_FORMAT)
        throw;
      return false;
    }
  };
  for (const bool filtered : {true, false}) {
    auto scan = simulated_scan (bench, filtered);
    if (half)
      scan = packed (scan, bench.threads);
    if (fits (scan))
      return scan;
  }
  auto scan = simulated_counts (bench);
  if (fits (scan))
    return scan;
  scan = volume_scan (bench);
  task.negotiate (at_first_port<const Format *> (task, scan.format.get ()));
  return scan;
}

void tune_node (const TunedNode &node, Aims aims, const TuneWords::Given &given, std::optional<Temporary> &target)
{
  const auto &bench = aims.bench;
  const auto &device = as_opencl (*bench.device);
  const auto &family = *node.family;
  aims.node = node.name;
  aims.properties = given.properties;
  aims.begin = g_get_monotonic_time ();
  const auto task = make_task (node.name, given.properties);
  if (task->composite ())
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 text ("'%s' stands for other nodes with these properties: give other properties", node.name.c_str ()));
  const auto scan = scan_for (*task, family, bench, given.half);

  Search search (aims, scan, *task->kernels ());
  search.run ();
  std::string words;
  for (const auto &word : family.words)
    if (!word.values.empty ())
      words += text (", %s=%s", word.name, word.values[static_cast<size_t> (search.problem[word.name])]);
  printf ("%s on %s (%s), %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels, %" G_GINT64_FORMAT " projections%s\n%s",
          node.name.c_str (), bench.device->id.c_str (), bench.device->name.c_str (), bench.size, bench.size,
          bench.projections, words.c_str (),
          table (search, task->updates_per_row () > 0 ? "GUPS" : "1e9 values/s").c_str ());
  const auto *best = search.winner ();
  if (!best)
    throw Error (SINO_ERROR_DEVICE, text ("no kernel gives right results on %s (%s)", bench.device->id.c_str (),
                                          bench.device->name.c_str ()));
  const auto count = search.all.size ();
  printf ("\n%zu way%s tried%s; best: %s\n", count, count == 1 ? "" : "s",
          search.late () ? ", then the time limit was reached (--budget)" : ", which is all",
          best->candidate.text ().c_str ());
  const families::Proposal found{.setting = best->candidate.setting, .lanes = best->candidate.lanes};
  if (target)
    write_entry (*target, families::entry_json (family, found, search.problem));
  printf ("saved in %s\n", families::keep_tuned (device, family, search.problem, found, aims.lanes > 0).c_str ());
  try { // last: the tuning is worth minutes, and plans do without its speed
    search.keep_speed ();
  } catch (const Error &error) {
    g_debug ("the speed of %s was not kept: %s", node.name.c_str (), error.what ());
  }
}

} // namespace

int tune (int argc, char **argv)
{
  Options options;
  Words words;
  const auto nodes = tuned_nodes ();
  std::vector<GOptionEntry> entries{
      {"node", 0, 0, G_OPTION_ARG_FILENAME, &words.node,
       "Node to tune; all nodes with OpenCL kernels, if not given. Nodes that examine the scan before a run cannot be "
       "tuned",
       "NODE"},
      {"size", 0, 0, G_OPTION_ARG_FILENAME, &words.size, "Columns of the detector (1024)", "N"},
      {"projections", 0, 0, G_OPTION_ARG_FILENAME, &words.projections,
       "Projections; as many as there are columns, if not given", "N"},
      {"slices", 0, 0, G_OPTION_ARG_FILENAME, &words.slices,
       "Slices of the scan (16); 1 tunes for a slice alone, any other number for stacks", "N"},
      {"lanes", 0, 0, G_OPTION_ARG_FILENAME, &words.lanes,
       "Slices side by side, for runs that set this number; the best number if not given", "N"},
      {"budget", 0, 0, G_OPTION_ARG_FILENAME, &words.budget,
       "Time limit for each node (60s); a started measurement is completed", "TIME"},
      {"export", 0, 0, G_OPTION_ARG_FILENAME, &words.target, "Also write the entry for the table of tunings", "FILE"}};
  entries = run_entries (options, RunOption::Of::nodes, entries);
  TuneWords own (nodes, entries);
  own.add_entries (entries);
  if (!parse (argc, argv, "tune",
              "Searches for kernel parameters that are fastest on a device, and give the right result. Later runs use "
              "them.",
              entries)
           .empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "tune takes only options");
  const auto aims = aims_of (options, words);
  if (const auto given = own.any (); !words.node && !given.empty ())
    throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--%s and other options of single nodes want --node", given.c_str ()));
  if (!words.node && words.target)
    throw Wrong (SINO_ERROR_BAD_PROPERTY, "--export wants --node");
  const auto list = wanted_nodes (nodes, words.node, *aims.bench.device);
  auto target = export_file (words.target ? words.target : "");
  if (words.node) {
    tune_node (list[0], aims, own.given_for (list[0]), target);
    return done;
  }
  bool all = true;
  for (const auto &node : list)
    try {
      tune_node (node, aims, own.given_for (node), target);
    } catch (const Error &error) { // continue with the other nodes
      complain (in_quotes (node.name) + ": " + error.what ());
      all = all && error.code == SINO_ERROR_BAD_FORMAT; // some nodes are for other scans
    }
  return all ? done : failed;
}

} // namespace sino::bench
