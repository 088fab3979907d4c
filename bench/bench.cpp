// SPDX-License-Identifier: LGPL-3.0-or-later
// The command 'bench': chooses the benchmark and parses its options.
#include "bench/bench.hpp"
#include "cli/options.hpp"
#include "glue/registry.hpp"
#include "graph/properties.hpp"
#include <algorithm>
#include <cstdio>

namespace sino::bench {

using namespace cli;

namespace {

struct Bench {
  const char *name;
  void (*run) (const BenchOptions &, Report &);
  const char *summary;
  const char *takes; // options that it takes besides the common ones
  int64_t slices;    // default number
  int runs;
  int64_t size = 1024; // default; 0: the benchmark has several
};

constexpr Bench all_benches[] = {
    {"back-project", bench_back_project, "A stack in memory, from projections to slices",
     "device size projections slices precision interpolation runs", 32, 5},
    {"cone-back-project", bench_cone_back_project, "A cube of --size from a cone-beam scan, or a helix, in memory",
     "device size projections detector turns precision variants runs", 1, 3},
    {"fourier-reconstruct", bench_fourier_reconstruct,
     "The same in Fourier space, stage by stage, and with back-project",
     "device size projections slices precision accuracy runs", 32, 5},
    {"single-slice", bench_single_slice, "One slice alone, as for the screen: its rows, and pictures of each size",
     "size projections runs", 1, 9},
    {"iteration", bench_iteration, "Iterations of slices, part by part, and with back-project and fourier-reconstruct",
     "size projections runs", 1, 3, 0},
    {"cone-iteration", bench_cone_iteration,
     "Projection and back-projection of a cube of --size in iterations, and with cone-back-project",
     "size projections detector runs", 1, 3, 256},
    {"projectors", bench_projectors,
     "forward-project and its transpose for a cube of --size, with every kernel of a --device",
     "device size projections detector variants runs", 1, 3, 256},
    {"kernels", bench_kernels, "The OpenCL kernels of back-projection with every number of lanes, on a --device",
     "device size projections slices interpolation runs", 16, 3},
    {"ramp-filter", bench_ramp_filter, "Rows of --size columns, padded to twice that",
     "device size projections slices runs", 16, 5},
    {"interleave", bench_interleave, "From projections to sinograms, with rows side by side",
     "device size projections slices runs", 32, 5},
    {"pipeline", bench_pipeline, "A whole run, from a file of counts to files of slices, compared with its limits",
     "device size projections slices precision interpolation accuracy method to files runs folder sweep "
     "device-memory slice-share switch",
     256, 3},
    {"write", bench_write, "Writing alone: slices of one value, to new files", "size slices to files runs folder", 256,
     3},
    {"cone-pipeline", bench_cone_pipeline, "A whole run of a cone beam, overlapped and task by task: a cube of --size",
     "device size projections detector precision runs folder device-memory slice-share switch", 1, 3},
    {"scaling", bench_scaling, "The native tasks of a reconstruction with 1, 2, 4 ... threads",
     "size projections slices runs", 64, 3},
    {"peaks", bench_peaks, "The peak performance of the CPU, for 1, 2, 4 ... threads", "", 1, 1},
};

// Options whose value is a word, and the words that the user gave.
struct BenchWords {
  struct Option {
    const char *name, *help, *value; // value: name of the option's value in the help
    const char *given = nullptr;
  };
  std::vector<Option> all{
      {"size",
       "Columns of the detector; slices are SIZE x SIZE (1024; iteration 512, 1024 and 2048; cone-iteration and "
       "projectors 256)",
       "N"},
      {"projections", "Projections; as many as there are columns, in each turn of a helix, if not given", "N"},
      {"slices",
       "Rows of the detector (back-project, fourier-reconstruct and interleave 32, ramp-filter and kernels 16, "
       "scaling 64, pipeline and write 256)",
       "N"},
      {"detector", "Columns and rows of a cone beam's detector; as many as the volume has, if not given", "N"},
      {"turns", "Turns of a helix that reaches beyond both ends of the cube (1, which is a circle)", "N"},
      {"precision", "The property of back-project, fourier-reconstruct or cone-back-project", "WORD"},
      {"interpolation", "The property of back-project", "WORD"},
      {"accuracy", "The property of fourier-reconstruct", "NUMBER"},
      {"variants",
       "Kernels to measure (projectors), also several times with other parameters: 'gather;gather(Z=8,WIDE=32)'; all, "
       "each with its usual parameters, if not given. cone-back-project takes one, and the usual one if not given",
       "LIST"},
      {"method", "The property of reconstruct (pipeline)", "WORD"},
      {"to", "Output of a pipeline or of write: tiff, hdf5, or null for none (tiff)", "WORD"},
      {"files", "The property of write: files that share the slices, with --to=hdf5 (1)", "N"},
      {"runs",
       "Measured runs (5; pipelines, write, iterations, scaling, kernels, projectors and cone-back-project 3, "
       "single-slice 9)",
       "N"},
      {"folder",
       "Folder for the files of pipelines and of write, which are removed at the end (the system's folder for "
       "temporary files)",
       "FOLDER"}};
  gboolean sweep = false;

  // Returns the given word, or null if the option was not given.
  const char *operator[] (std::string_view name) const { return std::ranges::find (all, name, &Option::name)->given; }
};

const Bench &find_bench (const std::string &name)
{
  std::vector<std::string> names;
  for (const auto &bench : all_benches) {
    if (name == bench.name)
      return bench;
    names.push_back (bench.name);
  }
  throw Wrong (SINO_ERROR_NOT_FOUND, text ("no benchmark '%s': ", name.c_str ()) +
                                         did_you_mean (name, names, "", "'sinograph bench --help' lists them"));
}

bool takes (const Bench &bench, const char *option)
{
  return std::ranges::count (split (bench.takes, ' '), option) > 0;
}

void check_taken (const Bench &bench, const char *option, const char *word)
{
  if (!word || takes (bench, option))
    return;
  std::vector<std::string> others;
  for (const auto &other : all_benches)
    if (takes (other, option))
      others.push_back (other.name);
  throw Wrong (SINO_ERROR_BAD_PROPERTY,
               text ("--%s is not for %s, only for %s", option, bench.name, join (others).c_str ()));
}

// Returns a word of a list: `word`, or the first one if it is null. `listed`: the list as text for messages.
std::string one_of (const std::vector<std::string> &words, const char *option, const char *word,
                    const std::string &listed)
{
  if (!word)
    return words[0];
  if (std::ranges::find (words, word) != words.end ())
    return word;
  throw Wrong (SINO_ERROR_BAD_PROPERTY,
               text ("no %s '%s': ", option, word) + did_you_mean (word, words, "", "possible values are " + listed));
}

// Returns the given value of an option that the node has as a property, or the property's default.
std::string choice (const char *node, const char *option, const BenchWords &words)
{
  const auto *word = words[option];
  for (auto *spec : list_properties (Registry::get ().find (node))) {
    if (spec->name != std::string_view (option))
      continue;
    return one_of (choices (spec), option, word ? word : default_text (spec).c_str (), range_text (spec));
  }
  throw Error (SINO_ERROR_NOT_FOUND, text ("%s has no property '%s'", node, option));
}

BenchOptions bench_options (const Bench &bench, const Options &options, const BenchWords &words)
{
  for (size_t i = 0; i < option_table.size (); i++)
    if (i != option_place ("threads"))
      check_taken (bench, option_table[i].name, options.words[i]);
  check_taken (bench, "sweep", words.sweep ? "" : nullptr);
  for (const auto &option : words.all)
    check_taken (bench, option.name, option.given);
  BenchOptions out;
  auto run = run_options (options, takes (bench, "device") ? "" : "native");
  if (run.devices.size () != 1 && bench.run != bench_pipeline)
    throw Wrong (SINO_ERROR_DEVICE,
                 text ("%s takes one device, got '%s'", bench.name, options.words[option_place ("device")]));
  out.device = run.devices[0];
  out.devices = run.devices;
  run.threads = out.threads = run.threads > 0 ? run.threads : usable_cpus ();
  out.run = std::move (run);
  out.sweep = words.sweep;
  const auto number = [&] (const char *option, int64_t least, int64_t most, int64_t otherwise) {
    return cli::number (option, words[option], least, most, otherwise);
  };
  out.size = number ("size", 16, 65536, bench.size);
  out.turns = number ("turns", 1, 1000, 1);
  out.projections = number ("projections", 1, 1000000, out.size * out.turns);
  if (out.projections % out.turns != 0)
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 text ("--projections=%" G_GINT64_FORMAT " is no multiple of --turns=%" G_GINT64_FORMAT,
                       out.projections, out.turns));
  out.slices = number ("slices", 1, 65536, bench.slices);
  out.detector = number ("detector", 16, 65536, out.size);
  out.runs = static_cast<int> (number ("runs", 1, 1000, bench.runs));
  const auto cone = bench.run == bench_cone_back_project || bench.run == bench_cone_pipeline;
  const auto fourier = bench.run == bench_fourier_reconstruct;
  out.precision = choice (cone      ? "cone-back-project"
                          : fourier ? "fourier-reconstruct"
                                    : "back-project",
                          "precision", words);
  out.interpolation = choice ("back-project", "interpolation", words);
  out.accuracy = words["accuracy"] ? words["accuracy"] : "";
  out.variants = words["variants"] ? words["variants"] : "";
  out.method = choice ("reconstruct", "method", words);
  out.to = one_of ({"tiff", "hdf5", "null"}, "--to", words["to"], "tiff, hdf5, null");
  out.files = static_cast<int> (number ("files", 1, 64, 1));
  out.folder = words["folder"] ? words["folder"] : g_get_tmp_dir ();
  return out;
}

std::string about ()
{
  std::string out = "Measures this machine with the code that runs use, on simulated data. Benchmarks:\n";
  for (const auto &bench : all_benches)
    out += text ("  %-20s %s\n", bench.name, bench.summary);
  return out + "Times are medians, after one run that is not measured.";
}

} // namespace

std::vector<std::string> bench_names ()
{
  std::vector<std::string> names;
  for (const auto &bench : all_benches)
    names.push_back (bench.name);
  return names;
}

int bench (int argc, char **argv)
{
  Options options;
  BenchWords words;
  std::vector<GOptionEntry> entries;
  for (auto &option : words.all)
    entries.push_back ({option.name, 0, 0, G_OPTION_ARG_FILENAME, &option.given, option.help, option.value});
  entries.push_back ({"sweep", 0, 0, G_OPTION_ARG_NONE, &words.sweep,
                      "Measure the effect of each switch of --switch on a pipeline, and of each pair of them",
                      nullptr});
  entries.push_back ({"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Write JSON", nullptr});
  const auto names =
      parse (argc, argv, "bench BENCHMARK", about ().c_str (), run_entries (options, RunOption::Of::nodes, entries));
  if (names.size () != 1)
    throw Wrong (SINO_ERROR_BAD_GRAPH,
                 text ("bench wants one benchmark, got %zu: 'sinograph bench --help' lists them", names.size ()));
  const auto &chosen = find_bench (names[0]);
  const auto bench_with = bench_options (chosen, options, words);
  Report report;
  report.word ("bench", chosen.name);
  chosen.run (bench_with, report);
  fputs ((options.json ? report.json () : report.text ()).c_str (), stdout);
  return done;
}

} // namespace sino::bench
