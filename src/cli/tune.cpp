// SPDX-License-Identifier: LGPL-3.0-or-later
// The command: of the ways in which a node can run on a device, finds the fastest that gives the right result, and
// keeps it for this user's later runs.
#include "base/output-file.hpp"
#include "base/temporary.hpp"
#include "base/text.hpp"
#include "cli/options.hpp"
#include "cli/tune-search.hpp"
#include "glue/registry.hpp"
#include <algorithm>
#include <cstdio>
#include <fstream>

namespace sino::cli {

namespace {

struct Wanted {
  Aims aims;
  std::string precision;
  bool direct;        // back-projection: of filtered rows, in some precision and interpolation
  std::string target; // the file of --export, "" for none
};

std::string table (const Search &search)
{
  auto sorted = search.all;
  std::stable_sort (sorted.begin (), sorted.end (), [] (const auto &a, const auto &b) { return a.gups > b.gups; });
  Report report;
  report.row ({"GUPS", "times reference", "error", "way"});
  constexpr size_t most = 20;
  for (size_t i = 0; i < sorted.size (); i++)
    if (sorted[i].fault.empty () && i < most)
      report.row ({digits (sorted[i].gups), digits (sorted[i].gups / search.reference_gups), digits (sorted[i].error),
                   sorted[i].way.text});
  for (const auto &found : sorted)
    if (!found.fault.empty () &&
        std::none_of (found.fault.begin (), found.fault.end (), [] (char c) { return c == '\n'; }))
      report.remark (found.way.text + ": " + found.fault);
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

int64_t number (const char *option, const char *word, int64_t least, int64_t most, int64_t otherwise)
{
  int64_t value = otherwise;
  if (word && (!parse_integer (word, value) || value < least || value > most))
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 text ("--%s wants a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", got '%s'", option, least,
                       most, word));
  return value;
}

std::string one_of (const char *option, const char *word, std::initializer_list<const char *> words)
{
  if (!word)
    return *words.begin ();
  std::string all;
  for (const char *known : words) {
    if (std::string_view (word) == known)
      return word;
    all += (all.empty () ? "" : " or ") + std::string (known);
  }
  throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--%s wants %s, got '%s'", option, all.c_str (), word));
}

// What was given; null when it was not.
struct Words {
  char *node = nullptr, *size = nullptr, *projections = nullptr, *slices = nullptr, *lanes = nullptr,
       *precision = nullptr, *interpolation = nullptr, *budget = nullptr, *target = nullptr;

  Words () = default;
  ~Words ()
  {
    for (auto *word : {node, size, projections, slices, lanes, precision, interpolation, budget, target})
      g_free (word);
  }
  Words (const Words &) = delete;
  Words &operator= (const Words &) = delete;
};

Wanted wanted (const Options &options, const Words &words)
{
  const auto run = run_options (options);
  if (run.devices.size () != 1)
    throw Wrong (SINO_ERROR_DEVICE, text ("tune takes one device, got '%s'", options.device));
  Wanted out{};
  auto &[bench, node, properties, lanes, begin, budget] = out.aims;
  node = words.node ? words.node : "back-project";
  out.direct = node == "back-project";
  for (const auto &[option, word] :
       {std::pair{"lanes", words.lanes}, {"precision", words.precision}, {"interpolation", words.interpolation}})
    if (word && !out.direct)
      throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--%s is of back-project, '%s' has none", option, node.c_str ()));
  out.precision = one_of ("precision", words.precision, {"single", "half"});
  out.target = words.target ? words.target : "";
  lanes = static_cast<int> (number ("lanes", words.lanes, 1, 32, 0));
  if ((lanes & (lanes - 1)) != 0)
    throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--lanes wants 1, 2, 4, 8, 16 or 32, got '%s'", words.lanes));
  begin = g_get_monotonic_time ();
  budget = seconds_in (words.budget ? words.budget : "60s");
  bench.device = run.devices[0];
  bench.threads = run.threads > 0 ? run.threads : usable_cpus ();
  bench.size = number ("size", words.size, 16, 65536, 1024);
  bench.projections = number ("projections", words.projections, 1, 1000000, bench.size);
  bench.slices = number ("slices", words.slices, out.direct ? 1 : 16, 1024, 16);
  bench.interpolation = one_of ("interpolation", words.interpolation, {"linear", "nearest", "oversample"});
  if (out.direct)
    properties = {{"interpolation", bench.interpolation}};
  return out;
}

// Made before the search, so that a file that cannot be written is told at once.
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
  std::ofstream file (target.path ());
  if (!(file << entry << "\n").flush ())
    fail_file ("cannot write", target.final_path (), errno);
  target.commit_new ();
}

} // namespace

int tune (int argc, char **argv)
{
  Options options;
  Words words;
  std::vector<GOptionEntry> entries{
      {"node", 0, 0, G_OPTION_ARG_FILENAME, &words.node,
       "What to tune: back-project, if not given, or fourier-reconstruct", "NODE"},
      {"size", 0, 0, G_OPTION_ARG_FILENAME, &words.size, "Columns of the detector (1024)", "N"},
      {"projections", 0, 0, G_OPTION_ARG_FILENAME, &words.projections, "As many as there are columns, if not given",
       "N"},
      {"slices", 0, 0, G_OPTION_ARG_FILENAME, &words.slices,
       "Of the scan (16); 1 tunes back-project for a slice alone, any other number for stacks", "N"},
      {"lanes", 0, 0, G_OPTION_ARG_FILENAME, &words.lanes,
       "Slices side by side, for runs of back-project that ask for as many; the best number if not given", "N"},
      {"precision", 0, 0, G_OPTION_ARG_FILENAME, &words.precision,
       "Of the sinograms of back-project: single, or half (half-pack)", "WORD"},
      {"interpolation", 0, 0, G_OPTION_ARG_FILENAME, &words.interpolation, "As the property of back-project", "WORD"},
      {"budget", 0, 0, G_OPTION_ARG_FILENAME, &words.budget, "Time for all of it (60s); what was begun is ended",
       "TIME"},
      {"export", 0, 0, G_OPTION_ARG_FILENAME, &words.target, "Write the entry for the table of tunings, too", "FILE"}};
  for (const auto &entry : place_options (options))
    if (entry.arg_data != &options.memory)
      entries.push_back (entry);
  if (!parse (argc, argv, "tune",
              "Searches the parameters of the kernels for those that are fastest on a device, and give the right "
              "result. Later "
              "runs take them.",
              entries)
           .empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "tune takes options only");
  const auto what = wanted (options, words);
  const auto &bench = what.aims.bench;
  const auto &device = *bench.device;

  const auto task = make_task (what.aims.node, what.aims.properties);
  const auto *tunable = task->tunable ();
  if (!tunable || device.kind == Device::Kind::native)
    throw Wrong (SINO_ERROR_NOT_FOUND,
                 text ("'%s' has nothing to tune on %s (%s)%s", what.aims.node.c_str (), device.id.c_str (),
                       device.name.c_str (),
                       tunable ? ": its kernels follow the CPU's instruction set; give --device" : ""));
  auto target = export_file (what.target);
  require_memory (bench, 4.0 * static_cast<double> (bench.size * bench.slices) *
                             static_cast<double> (bench.projections + 2 * bench.size));
  auto scan = simulated_scan (bench, what.direct);
  if (what.precision == "half")
    scan = packed (scan, bench.threads);
  const Format sinograms = make_task ("interleave")->negotiate (std::vector{scan.format.get ()});
  task->negotiate (std::vector{&sinograms});

  Search search (what.aims, scan, *tunable);
  search.run ();
  printf ("%s (%s), %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels, %" G_GINT64_FORMAT " projections%s\n%s",
          device.id.c_str (), device.name.c_str (), bench.size, bench.size, bench.projections,
          what.direct ? (", " + what.precision + ", " + bench.interpolation).c_str () : "", table (search).c_str ());
  const auto *best = search.winner ();
  if (!best)
    throw Error (SINO_ERROR_DEVICE, text ("no kernel is right on %s (%s)", device.id.c_str (), device.name.c_str ()));
  printf ("\n%zu way%s tried%s; best: %s\n", search.all.size (), search.all.size () == 1 ? "" : "s",
          search.late () ? ", then the time was up (--budget)" : ", which were all", best->way.text.c_str ());
  if (target)
    write_entry (*target, tunable->entry_of (device, best->way));
  printf ("kept in %s\n", tunable->keep_way (device, best->way, what.aims.lanes > 0).c_str ());
  return done;
}

} // namespace sino::cli
