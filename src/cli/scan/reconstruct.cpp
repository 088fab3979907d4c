// SPDX-License-Identifier: LGPL-3.0-or-later
// The command from a scan to slices: opens the file, builds a suitable graph, shows it and runs it.
#include "cli/events.hpp"
#include "cli/execute.hpp"
#include "cli/print.hpp"
#include "cli/scan/chain.hpp"
#include "formats/name-groups.hpp"
#include "graph/json-writer.hpp"
#include <filesystem>

namespace sino::cli {

namespace {

namespace fs = std::filesystem;

// The folder for results; throws if it is not empty, unless `overwrite`.
std::string output_folder (const std::vector<const char *> &words, bool overwrite)
{
  fs::path out = words.size () > 1 ? words[1] : "";
  if (words.size () < 2) {
    const auto scan = fs::absolute (words[0]).lexically_normal ();
    out = (scan.has_filename () ? scan : scan.parent_path ()).stem ().string () + "-slices";
  }
  std::error_code code;
  if (fs::exists (out, code) && !overwrite && (!fs::is_directory (out, code) || !fs::is_empty (out, code)))
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 text ("'%s' exists: give another folder after the scan, or --overwrite", out.c_str ()));
  return fs::absolute (out).lexically_normal ().string ();
}

// The given options that affect the plan.
std::string given_options (const Options &options)
{
  std::string out;
  for (size_t i = 0; i < option_table.size (); i++)
    if (option_table[i].of <= RunOption::Of::plans && options.words[i])
      out += text ("--%s=%s ", option_table[i].name, shell_word (options.words[i]).c_str ());
  return out;
}

// The chain with its source and sinks.
std::string whole_line (ScanLine chain, const Wishes &wishes, const std::string &out)
{
  const auto replace = wishes.overwrite ? "true" : "";
  LineNode write{"write"}, preview{"preview"};
  const char *const name = wishes.tries_axes ()        ? "/slices/axis-%.2f.tif"
                           : wishes.tries_strengths () ? "/slices/strength-%.5f.tif"
                                                       : "/slices/slice-%05i.tif";
  write.set ("name", "slices").set ("path", formats::escaped_pattern (out) + name).set ("overwrite", replace);
  preview.set ("show", wishes.tries_axes () || wishes.tries_strengths () ? "axes" : "cuts")
      .set ("path", out + "/preview.png")
      .set ("overwrite", replace);
  std::vector ends{write, preview};
  apply (wishes.settings, ends);
  const auto source = chain.nodes.back ().name ();
  return chain.text () + " ! " + ends[0].text () + "   " + source + ". ! " + ends[1].text ();
}

int work (const std::vector<const char *> &words, const Wishes &wishes, const Options &options)
{
  const auto out = output_folder (words, wishes.overwrite);
  const bool talks = !options.quiet && !wants_events (options);
  std::vector<std::string> said;
  const auto line = reading ([&] {
    const Confining scope (options);
    const auto scan = look_at_scan (words[0], wishes);
    if (talks && !scan.table.empty ())
      print (scan.path + "\n" + scan.table + "\n");
    return whole_line (chain_of (scan, wishes, &said), wishes, out);
  });
  const char *const whole = line.c_str ();
  const auto graph = load_line (std::span (&whole, 1), options);
  if (talks)
    print ("sinograph launch " + given_options (options) + shell_word (line) + "\n");
  Additions additions{
      {{"line", line}, {"folder", out}}, [&] { save_json (graph, out + "/graph.json", wishes.overwrite); }, {}};
  for (const auto &each : said)
    additions.messages.push_back ({"read", "read", each, true});
  const int status = execute (graph, options, additions);
  if (talks)
    print (out + ": slices/, preview.png, graph.json\n");
  return status;
}

} // namespace

int reconstruct (int argc, char **argv)
{
  Options options;
  Wishes wishes;
  const auto file = [] (const char *name, const char **to, const char *about, const char *value) {
    return GOptionEntry{name, 0, 0, G_OPTION_ARG_FILENAME, to, about, value};
  };
  const std::vector<GOptionEntry> entries{
      file ("axis", &wishes.axis,
            "Rotation axis in detector columns, found automatically if neither given nor in the scan; or a range "
            "start:stop:step, which gives a slice of the middle row for each axis",
            "COLUMN"),
      {"strength", 0, 0, G_OPTION_ARG_STRING, &wishes.strength,
       "Reconstruct by iteration with total variation, for few or noisy projections; 1 suits most scans, larger values "
       "smooth more. A range start:stop gives 16 slices of the middle row",
       "NUMBER"},
      file ("rows", &wishes.rows, "Detector rows to reconstruct, as begin:end:step", "ROWS"),
      file ("angles", &wishes.angles, "Degrees as start:stop, or a file with one per projection, if the scan has none",
            "ANGLES"),
      file ("darks", &wishes.darks, "Dark frames, if the scan has none", "PATH"),
      file ("flats", &wishes.flats, "Flat frames, if the scan has none", "PATH"),
      file ("flats-after", &wishes.flats_after, "Flat frames taken after the projections", "PATH"),
      file ("projections", &wishes.projections, "Projections to use, as begin:end:step", "PROJECTIONS"),
      file ("raw", &wishes.raw, "Pixels of a file without a header, as type:columnsxrows+offset", "LAYOUT"),
      file ("geometry", &wishes.geometry, "Geometry of every projection: a file of RTK, TIGRE or ASTRA", "FILE"),
      file ("source-origin", &wishes.source_origin, "Distance from the source to the axis, for a fan or cone beam",
            "LENGTH"),
      file ("origin-detector", &wishes.origin_detector, "Distance from the axis to the detector", "LENGTH"),
      file ("pixel-size", &wishes.pixel_size,
            "Detector pitch: distance of neighbouring columns, in the unit of the other lengths", "LENGTH"),
      file ("phase", &wishes.phase,
            "Retrieve phase: properties of retrieve-phase, as 'energy=20 distance=0.1 delta-beta=300'", "WORDS"),
      {"values", 0, 0, G_OPTION_ARG_STRING, &wishes.values,
       "Meaning of the values, if it is not recognized: counts, transmission, attenuation or emission", "WORD"},
      {"missing", 0, 0, G_OPTION_ARG_STRING, &wishes.missing,
       "If projections were never written, or files of a sequence are missing: fail, zero or skip", "WORD"},
      {"bin", 0, 0, G_OPTION_ARG_STRING, &wishes.bin, "Combine N x N pixels into one", "N"},
      {"rings", 0, 0, G_OPTION_ARG_NONE, &wishes.rings,
       "Remove stripes from sinograms, which are rings in slices; circles of the object around the axis lose contrast, "
       "too",
       nullptr},
      {"sinograms", 0, 0, G_OPTION_ARG_NONE, &wishes.sinograms,
       "The images of the scan are sinograms, one for each detector row; their rows are angles", nullptr},
      {"overwrite", 0, 0, G_OPTION_ARG_NONE, &wishes.overwrite, "Replace results of an earlier run in OUT", nullptr}};
  const auto words = parse (
      argc, argv, "reconstruct SCAN [OUT]",
      "Reconstructs a scan, a file or a folder of images, with suitable nodes.\n\n  sinograph reconstruct scan.h5\n  "
      "sinograph reconstruct scan-folder results --rings --angles=0:180\n\nWrites slices/, preview.png (three cuts and "
      "a histogram) and graph.json into OUT, which is SCAN's name and '-slices'\nif not given. 'sinograph run "
      "OUT/graph.json' runs the graph again. --set can change every property of its nodes.",
      run_entries (options, RunOption::Of::runs, entries));
  if (words.empty () || words.size () > 2)
    throw Wrong (
        SINO_ERROR_BAD_GRAPH,
        text ("reconstruct wants a scan, and optionally a folder for the results, got %zu arguments", words.size ()));
  wishes.settings = options.settings;
  return telling (options, [&] { return work (words, wishes, options); });
}

} // namespace sino::cli
