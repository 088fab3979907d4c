// SPDX-License-Identifier: LGPL-3.0-or-later
// The command: of the ways in which a node can run on a device, finds the fastest that gives the right result, and
// keeps it for this user's later runs. It measures all to begin with, then changes the best in one respect after the
// other.
#include "base/text.hpp"
#include "cli/bench/stack.hpp"
#include "cli/bench/timing.hpp"
#include "cli/bench/truth.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "glue/registry.hpp"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

namespace sino::cli {

namespace {

// Texture engines weigh in steps of 1/256, which costs a few 1e-4 on noise; halves cost as much.
constexpr double most_error = 1e-3;
constexpr int measured_runs = 3;

struct Found {
  Way way;
  double gups = 0, error = 0;
  std::string fault; // why it does not count
};

struct Wanted {
  BenchOptions bench;
  std::string node, precision, target; // target: the file of --export, "" for none
  int lanes;                           // 0: any
  double budget;                       // seconds
};

// One after the other, however they are cut into blocks.
std::vector<std::span<const float>> slices_in (const std::vector<Block> &blocks)
{
  std::vector<std::span<const float>> list;
  for (const auto &block : blocks)
    for (int64_t i = 0; i < block.rows ().size (); i++)
      list.emplace_back (block.as<float> () + block.offset (0, i),
                         static_cast<size_t> (block.values () / block.rows ().size ()));
  return list;
}

double difference (const std::vector<Block> &blocks, const std::vector<Block> &true_blocks)
{
  RelativeError error;
  const auto slices = slices_in (blocks), truth = slices_in (true_blocks);
  for (size_t i = 0; i < truth.size (); i++)
    for (size_t k = 0; k < truth[i].size (); k++)
      error.add (static_cast<double> (slices[i][k]), static_cast<double> (truth[i][k]));
  return error.value ();
}

class Search
{
public:
  // `task` has negotiated the scan.
  Search (const Wanted &w, const Scan &s, const Tunable &t) : wanted (w), scan (s), task (t), device (*w.bench.device)
  {
  }

  void run ()
  {
    find_truth ();
    measure_reference ();
    for (const auto &way : task.first_ways (device, wanted.lanes))
      consider (way);
    for (bool better = true; better && best && !late ();) {
      better = false;
      for (const auto &way : task.ways_near (device, best->way))
        better = consider (way) || better;
    }
    bar.clear ();
  }

  const Found *winner () const { return best ? &*best : nullptr; }
  bool late () const { return spent > wanted.budget; }
  std::vector<Found> all;
  double reference_gups = 0;

private:
  const Wanted &wanted;
  const Scan &scan;
  const Tunable &task;
  const Device &device;
  Bar bar;
  std::optional<Found> best;
  std::set<std::string> seen;
  std::vector<Block> truth;
  double spent = 0; // seconds

  Properties properties (const Properties &more) const
  {
    Properties list{{"interpolation", wanted.bench.interpolation}};
    list.insert (list.end (), more.begin (), more.end ());
    return list;
  }

  // By the node's other implementation, so that no fault of a driver is the truth.
  void find_truth ()
  {
    auto native = wanted.bench;
    native.device = native_device ();
    Stack stack (scan, native, properties ({}));
    stack.run ();
    truth = stack.slices;
  }

  void measure_reference ()
  {
    const auto way = task.reference_way (device);
    Stack stack (scan, wanted.bench, properties (way.properties), way.lanes);
    stack.run ();
    reference_gups = 1e-9 * stack.updates () / seconds_of_run (stack);
  }

  // Of the kernels alone, where they are counted: transfers are the same for all ways.
  static double seconds_of_run (Stack &stack)
  {
    const auto counted = [&] { return 1e-6 * static_cast<double> (stack.counted ()["kernel-microseconds"]); };
    const double before = counted ();
    const double all = seconds_of ([&] { stack.run (); });
    const double kernels = counted () - before;
    return kernels > 0 ? kernels : all;
  }

  // Whether the way is the fastest so far.
  bool consider (const Way &way)
  {
    if (late () || !seen.insert (way.text).second)
      return false;
    Found found{way, 0, 0, {}};
    spent += seconds_of ([&] {
      try {
        measure (found);
      } catch (const Error &error) {
        found.fault = error.what ();
      }
    });
    const bool better = found.fault.empty () && (!best || found.gups > best->gups);
    if (better)
      best = found;
    all.push_back (found);
    bar.show (std::min (1.0, spent / wanted.budget),
              text ("%zu ways, best %s GUPS by %s", all.size (), best ? digits (best->gups).c_str () : "-",
                    best ? best->way.text.c_str () : "-"));
    return better;
  }

  void measure (Found &found)
  {
    Stack stack (scan, wanted.bench, properties (found.way.properties), found.way.lanes);
    stack.run ();
    found.error = difference (stack.slices, truth);
    if (!(found.error <= most_error)) {
      found.fault = text ("errs by %s", digits (found.error).c_str ());
      return;
    }
    std::vector<double> seconds;
    do
      seconds.push_back (seconds_of_run (stack));
    while (std::ssize (seconds) < measured_runs &&
           (!best || 1e-9 * stack.updates () / seconds[0] > 0.7 * best->gups)); // else it is beaten anyway
    found.gups = 1e-9 * stack.updates () / median (seconds);
  }
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
  char *node = nullptr, *size = nullptr, *projections = nullptr, *lanes = nullptr, *precision = nullptr,
       *interpolation = nullptr, *budget = nullptr, *target = nullptr;

  Words () = default;
  ~Words ()
  {
    for (auto *word : {node, size, projections, lanes, precision, interpolation, budget, target})
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
  out.node = words.node ? words.node : "back-project";
  out.precision = one_of ("precision", words.precision, {"single", "half"});
  out.target = words.target ? words.target : "";
  out.lanes = static_cast<int> (number ("lanes", words.lanes, 1, 32, 0));
  out.budget = seconds_in (words.budget ? words.budget : "60s");
  out.bench.device = run.devices[0];
  out.bench.threads = run.threads > 0 ? run.threads : usable_cpus ();
  out.bench.runs = measured_runs;
  out.bench.size = number ("size", words.size, 16, 65536, 1024);
  out.bench.projections = number ("projections", words.projections, 1, 1000000, out.bench.size);
  out.bench.slices = out.lanes == 1 ? 1 : 16;
  out.bench.interpolation = one_of ("interpolation", words.interpolation, {"linear", "nearest", "oversample"});
  return out;
}

void write_entry (const std::string &path, const std::string &entry)
{
  std::ofstream file (path);
  if (!(file << entry << "\n").flush ())
    throw Error (SINO_ERROR_BAD_FILE, text ("cannot write '%s'", path.c_str ()));
}

} // namespace

int tune (int argc, char **argv)
{
  Options options;
  Words words;
  std::vector<GOptionEntry> entries{
      {"node", 0, 0, G_OPTION_ARG_FILENAME, &words.node, "What to tune (back-project)", "NODE"},
      {"size", 0, 0, G_OPTION_ARG_FILENAME, &words.size, "Columns of the detector (1024)", "N"},
      {"projections", 0, 0, G_OPTION_ARG_FILENAME, &words.projections, "As many as there are columns, if not given",
       "N"},
      {"lanes", 0, 0, G_OPTION_ARG_FILENAME, &words.lanes,
       "Slices side by side; 1 tunes for a slice alone, any number if not given", "N"},
      {"precision", 0, 0, G_OPTION_ARG_FILENAME, &words.precision, "Of the sinograms: single, or half (half-pack)",
       "WORD"},
      {"interpolation", 0, 0, G_OPTION_ARG_FILENAME, &words.interpolation, "As the property of back-project", "WORD"},
      {"budget", 0, 0, G_OPTION_ARG_FILENAME, &words.budget, "Time for the search (60s)", "TIME"},
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
  const auto &device = *what.bench.device;

  const auto task = make_task (
      what.node, what.node == "back-project" ? Properties{{"interpolation", what.bench.interpolation}} : Properties{});
  const auto *tunable = task->tunable ();
  if (!tunable || device.kind == Device::Kind::native)
    throw Wrong (SINO_ERROR_NOT_FOUND,
                 text ("'%s' has nothing to tune on %s (%s)%s", what.node.c_str (), device.id.c_str (),
                       device.name.c_str (),
                       tunable ? ": its kernels follow the CPU's instruction set; give --device" : ""));
  require_memory (what.bench, 4.0 * static_cast<double> (what.bench.size * what.bench.slices) *
                                  static_cast<double> (what.bench.projections + 2 * what.bench.size));
  auto scan = simulated_scan (what.bench, true);
  if (what.precision == "half")
    scan = packed (scan, what.bench.threads);
  const Format sinograms = make_task ("interleave")->negotiate (std::vector{scan.format.get ()});
  task->negotiate (std::vector{&sinograms});

  Search search (what, scan, *tunable);
  search.run ();
  printf ("%s (%s), %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels, %" G_GINT64_FORMAT " projections, %s, %s\n%s",
          device.id.c_str (), device.name.c_str (), what.bench.size, what.bench.size, what.bench.projections,
          what.precision.c_str (), what.bench.interpolation.c_str (), table (search).c_str ());
  const auto *best = search.winner ();
  if (!best)
    throw Error (SINO_ERROR_DEVICE, text ("no kernel is right on %s (%s)", device.id.c_str (), device.name.c_str ()));
  printf ("\n%zu ways tried%s; kept: %s, in %s\n", search.all.size (),
          search.late () ? ", then the time was up (--budget)" : ", which were all", best->way.text.c_str (),
          tunable->keep_way (device, best->way).c_str ());
  if (!what.target.empty ())
    write_entry (what.target, tunable->entry_of (device, best->way));
  return done;
}

} // namespace sino::cli
