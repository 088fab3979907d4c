// SPDX-License-Identifier: LGPL-3.0-or-later
// One command from a scan to slices: looks at the file, builds the graph that suits it, shows it and runs it.
#include "base/text.hpp"
#include "cli/execute.hpp"
#include "cli/scan-folder.hpp"
#include "graph/json-writer.hpp"
#include "graph/launch.hpp"
#include "run/net.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numbers>

namespace sino::cli {

namespace {

namespace fs = std::filesystem;

struct Wishes {
  char *darks = nullptr, *flats = nullptr, *angles = nullptr, *rows = nullptr, *axis = nullptr, *phase = nullptr,
       *bin = nullptr;
  gboolean rings = false, overwrite = false;

  Wishes () = default;
  ~Wishes ()
  {
    for (char *word : {darks, flats, angles, rows, axis, phase, bin})
      g_free (word);
  }
  Wishes (const Wishes &) = delete;
  Wishes &operator= (const Wishes &) = delete;
};

// A word of a launch line.
std::string quoted (const std::string &word)
{
  const bool plain = std::ranges::all_of (word, [] (char c) {
    return g_ascii_isalnum (c) || strchr ("/._-+:%=", c) != nullptr || static_cast<unsigned char> (c) >= 0x80;
  });
  if (plain)
    return word;
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + '"';
}

std::string setting (const char *name, const std::string &value)
{
  return value.empty () ? "" : " " + quoted (name + ("=" + value));
}

std::string word_of (const char *given)
{
  return given ? given : "";
}

// What `read` says of the scan.
Format look_at (const std::string &read)
{
  return negotiate (parse_launch (read + " ! null")).front ();
}

// "start:stop" of even angles in degrees, the stop excluded; "" for others.
std::string as_range (const std::vector<double> &angles)
{
  if (angles.size () < 2)
    return {};
  const double step = (angles.back () - angles.front ()) / static_cast<double> (angles.size () - 1);
  for (size_t i = 0; i < angles.size (); i++)
    if (std::abs (angles[i] - angles.front () - step * static_cast<double> (i)) > 1e-3 * std::abs (step))
      return {};
  return text ("%.10g:%.10g", angles.front (), angles.back () + step);
}

// The node that reads the scan.
std::string reading_node (const std::string &scan, const Wishes &wishes)
{
  ScanFolder parts{fs::absolute (scan).lexically_normal ().string (), {}, {}, {}};
  if (fs::is_directory (scan))
    parts = look_into (parts.projections);
  for (const auto &[given, part] : {std::pair (wishes.darks, &parts.darks), {wishes.flats, &parts.flats}})
    if (given)
      *part = given;
  auto angles = word_of (wishes.angles);
  if (angles.empty () && !parts.angles.empty ()) {
    const auto format = look_at ("read" + setting ("path", parts.projections));
    const auto list = angles_of_file (parts.angles, format.angles ());
    angles = as_range (list);
    if (angles.empty ()) {
      if (format.angles () != std::ssize (angles_of_file (parts.angles, std::ssize (list))))
        fail (SINO_ERROR_BAD_FILE,
              "the angles of '%s' are uneven, and it counts darks and flats, too: give --angles=FILE with one per "
              "projection",
              parts.angles.c_str ());
      angles = parts.angles;
    }
  }
  return "read" + setting ("path", parts.projections) + setting ("darks", parts.darks) +
         setting ("flats", parts.flats) + setting ("angles", angles) + setting ("rows", word_of (wishes.rows)) +
         setting ("axis", word_of (wishes.axis));
}

bool is_whole_turn (const Geometry &geometry)
{
  const auto [least, most] = std::ranges::minmax (geometry.angles);
  const double step = (most - least) / static_cast<double> (std::max<size_t> (geometry.angles.size (), 2) - 1);
  return std::abs (most - least + step - 2 * std::numbers::pi) < 2 * step;
}

// The nodes from the scan to slices.
std::string chain_of (const std::string &scan, const Wishes &wishes)
{
  const auto read = reading_node (scan, wishes);
  const auto format = look_at (read);
  const auto kind = format.kind ();
  if (kind != Kind::projections)
    throw Wrong (SINO_ERROR_BAD_FORMAT,
                 text ("'%s' holds %s, and projections are wanted", scan.c_str (), format.describe ().c_str ()));
  if (!format.geometry || format.geometry->angles.empty ())
    throw Wrong (SINO_ERROR_BAD_FORMAT, text ("'%s' has no angles: give --angles=start:stop in degrees (stop "
                                              "excluded), such as --angles=0:180, or --angles=FILE "
                                              "with one angle per projection",
                                              scan.c_str ()));
  const bool parallel = format.geometry->views.empty ();
  auto chain = read;
  if (format.companions.flats)
    chain += " ! flat-field" + std::string (wishes.phase ? " absorption=false" : "");
  else if (format.element != Element::f32)
    throw Wrong (SINO_ERROR_BAD_FORMAT, text ("'%s' holds %s, and has no flats: give --flats= (and --darks=)",
                                              scan.c_str (), format.describe ().c_str ()));
  if (wishes.bin)
    chain += text (" ! bin %s", quoted (wishes.bin).c_str ());
  if (wishes.phase)
    chain += text (" ! retrieve-phase %s", wishes.phase);
  if (!parallel && wishes.rings)
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 "--rings is for parallel beams, whose sinograms have stripes where slices have rings");
  const bool whole = parallel && is_whole_turn (*format.geometry);
  if (whole || wishes.rings)
    chain += " ! interleave";
  if (wishes.rings)
    chain += " ! remove-stripes";
  if (whole)
    chain += " ! find-axis ! stitch-360 least-offset=0.05";
  return chain + " ! reconstruct";
}

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
            "Rotation axis in detector columns; found where it is not given and the scan does not know it", "COLUMN"),
      file ("rows", &wishes.rows, "Detector rows to reconstruct, as begin:end:step", "ROWS"),
      file ("angles", &wishes.angles,
            "Degrees as start:stop, or a file with one per projection, where the scan has none", "ANGLES"),
      file ("darks", &wishes.darks, "Dark frames, where the scan has none", "PATH"),
      file ("flats", &wishes.flats, "Flat frames, where the scan has none", "PATH"),
      file ("phase", &wishes.phase,
            "Retrieve phase: properties of retrieve-phase, as 'energy=20 distance=0.1 delta-beta=300'", "WORDS"),
      {"rings", 0, 0, G_OPTION_ARG_NONE, &wishes.rings, "Remove stripes of sinograms, which are rings in slices",
       nullptr},
      {"overwrite", 0, 0, G_OPTION_ARG_NONE, &wishes.overwrite, "Replace what an earlier run has left in OUT",
       nullptr}};
  for (const auto &more : {graph_options (options), place_options (options), talk_options (options)})
    entries.insert (entries.end (), more.begin (), more.end ());
  const auto words =
      parse (argc, argv, "reconstruct SCAN [OUT]",
             "Reconstructs a scan with the nodes that suit it: an HDF5 file, or a folder of TIFF images.\n\n"
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
  const auto out = output_folder (words, wishes.overwrite);
  const auto replace = wishes.overwrite ? " overwrite=true" : "";
  const auto line = reading ([&] { return chain_of (words[0], wishes); }) + " ! write name=slices" +
                    setting ("path", out + "/slices/slice-%05i.tif") + replace + "   reconstruct. ! preview" +
                    setting ("path", out + "/preview.png") + replace;
  const char *const whole = line.c_str ();
  const auto graph = load_line (std::span (&whole, 1), options);
  if (!options.quiet)
    printf ("sinograph launch %s\n", CharPtr (g_shell_quote (line.c_str ())).get ());
  const int status = execute (graph, options);
  save_json (graph, out + "/graph.json", wishes.overwrite);
  if (!options.quiet)
    printf ("%s: slices/, preview.png, graph.json\n", out.c_str ());
  return status;
}

} // namespace sino::cli
