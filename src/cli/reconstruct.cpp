// SPDX-License-Identifier: LGPL-3.0-or-later
// One command from a scan to slices: looks at the file, builds the graph that suits it, shows it and runs it.
#include "cli/events.hpp"
#include "cli/execute.hpp"
#include "cli/print.hpp"
#include "cli/scan-chain.hpp"
#include "graph/json-writer.hpp"
#include <cstdio>
#include <filesystem>

namespace sino::cli {

namespace {

namespace fs = std::filesystem;

// The folder of the results, unless something is in it.
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
                 text ("'%s' exists: name another folder after the scan, or give --overwrite", out.c_str ()));
  return fs::absolute (out).lexically_normal ().string ();
}

int work (const std::vector<const char *> &words, const Wishes &wishes, const Options &options)
{
  const auto out = output_folder (words, wishes.overwrite);
  const auto replace = wishes.overwrite ? " overwrite=true" : "";
  const auto line =
      reading ([&] {
        const Confining scope (options);
        return chain_of (look_at_scan (words[0], wishes), wishes);
      }) +
      " ! write name=slices" +
      setting ("path", out + (wishes.tries_axes () ? "/slices/axis-%.2f.tif" : "/slices/slice-%05i.tif")) + replace +
      "   reconstruct. ! preview show=" + (wishes.tries_axes () ? "axes" : "cuts") +
      setting ("path", out + "/preview.png") + replace;
  const char *const whole = line.c_str ();
  const auto graph = load_line (std::span (&whole, 1), options);
  const bool talks = !options.quiet && !wants_events (options);
  if (talks)
    print ("sinograph launch " + std::string (CharPtr (g_shell_quote (line.c_str ())).get ()) + "\n");
  const int status =
      execute (graph, options,
               {{{"line", line}, {"folder", out}}, [&] { save_json (graph, out + "/graph.json", wishes.overwrite); }});
  if (talks)
    print (out + ": slices/, preview.png, graph.json\n");
  return status;
}

} // namespace

int reconstruct (int argc, char **argv)
{
  Options options;
  Wishes wishes;
  const auto file = [] (const char *name, char **to, const char *about, const char *value) {
    return GOptionEntry{name, 0, 0, G_OPTION_ARG_FILENAME, to, about, value};
  };
  std::vector<GOptionEntry> entries{
      file ("axis", &wishes.axis,
            "Rotation axis in detector columns, found where it is not given and the scan does not know it; or a range "
            "start:stop:step, of which each axis gives a slice of the middle row",
            "COLUMN"),
      file ("rows", &wishes.rows, "Detector rows to reconstruct, as begin:end:step", "ROWS"),
      file ("angles", &wishes.angles,
            "Degrees as start:stop, or a file with one per projection, where the scan has none", "ANGLES"),
      file ("darks", &wishes.darks, "Dark frames, where the scan has none", "PATH"),
      file ("flats", &wishes.flats, "Flat frames, where the scan has none", "PATH"),
      file ("phase", &wishes.phase,
            "Retrieve phase: properties of retrieve-phase, as 'energy=20 distance=0.1 delta-beta=300'", "WORDS"),
      {"bin", 0, 0, G_OPTION_ARG_STRING, &wishes.bin, "Make one pixel of N x N", "N"},
      {"rings", 0, 0, G_OPTION_ARG_NONE, &wishes.rings, "Remove stripes of sinograms, which are rings in slices",
       nullptr},
      {"sinograms", 0, 0, G_OPTION_ARG_NONE, &wishes.sinograms,
       "The images of the scan are sinograms: their rows are angles, and each is of another detector row", nullptr},
      {"overwrite", 0, 0, G_OPTION_ARG_NONE, &wishes.overwrite, "Replace what an earlier run has left in OUT",
       nullptr}};
  const auto more = all_options (options);
  entries.insert (entries.end (), more.begin (), more.end ());
  const auto words =
      parse (argc, argv, "reconstruct SCAN [OUT]",
             "Reconstructs a scan with the nodes that suit it: an HDF5 file, or a folder of TIFF or PNG images.\n\n"
             "  sinograph reconstruct scan.h5\n"
             "  sinograph reconstruct scan-folder results --rings --angles=0:180\n\n"
             "OUT, SCAN's name and '-slices' if it is not given, gets slices/, preview.png (three cuts and a "
             "histogram) and graph.json,\n"
             "the graph to go on with: 'sinograph run OUT/graph.json'. --set reaches every property of its nodes.",
             entries);
  if (words.empty () || words.size () > 2)
    throw Wrong (
        SINO_ERROR_BAD_GRAPH,
        text ("reconstruct wants a scan, and perhaps a folder for the results, got %zu arguments", words.size ()));
  return telling (options, [&] { return work (words, wishes, options); });
}

} // namespace sino::cli
