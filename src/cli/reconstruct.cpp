// SPDX-License-Identifier: LGPL-3.0-or-later
// The command from a scan to slices: opens the file, builds a suitable graph, shows it and runs it.
#include "base/threads.hpp"
#include "cli/events.hpp"
#include "cli/execute.hpp"
#include "cli/print.hpp"
#include "cli/scan-options.hpp"
#include "device/devices.hpp"
#include "graph/json-writer.hpp"
#include "scan/whole-line.hpp"
#include <filesystem>
#include <future>

namespace sino::cli {

using scan::Wishes;

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

// What was written: files in the folder, and a report that the user wants elsewhere, or not at all.
std::string results (const std::string &out, const Wishes &wishes, const std::string &report)
{
  const bool beside = !report.empty () && fs::absolute (report).lexically_normal () == out + "/report.html";
  return out + ": " + (wishes.volume ? wishes.volume : "slices/") + ", preview.png, " +
         (beside ? "report.html, " : "") + "graph.json\n" +
         (beside || report.empty () ? "" : "the report: " + report + "\n");
}

// Looks for devices while the scan is opened: a driver of GPUs takes some tenths of a second. A later search finds them
// at once, and says what is wrong.
class DeviceSearch : NoCopy
{
public:
  explicit DeviceSearch (const Options &options)
  {
    const char *word = options.word (option_place ("device"));
    const auto promise = std::make_shared<std::promise<void>> ();
    over = promise->get_future ();
    thread = start_thread ([wanted = std::string (word ? word : ""), promise] {
      try {
        find_devices (wanted);
      } catch (...) {
      }
      promise->set_value ();
    });
  }
  // A driver that hangs must not keep others from being told what is wrong with the scan.
  ~DeviceSearch ()
  {
    if (over.wait_for (std::chrono::seconds (3)) == std::future_status::ready)
      thread.join ();
    else
      thread.detach ();
  }

private:
  std::future<void> over;
  std::thread thread;
};

int work (const std::vector<const char *> &words, const Wishes &wishes, Options &options)
{
  const auto out = output_folder (words, wishes.overwrite);
  auto &report = options.words[option_place ("report")];
  if (!report)
    report = g_intern_string ((out + "/report.html").c_str ());
  const bool talks = !options.quiet && !wants_events (options);
  std::vector<std::string> said;
  const DeviceSearch search (options);
  const auto line = reading ([&] {
    const Confining scope (options);
    const auto seen = scan::look_at_scan (words[0], wishes);
    if (talks && !seen.table.empty ())
      print (seen.path + "\n" + seen.table + "\n");
    return scan::whole_line (scan::chain_of (seen, wishes, &said), wishes, out);
  });
  const char *const whole = line.c_str ();
  const auto graph = load_line (std::span (&whole, 1), options);
  try {
    to_json (graph);
  } catch (const Error &bad) { // before anything is written
    throw Wrong (bad.code, std::string (bad.what ()) + ": graph.json names it, so give it another name");
  }
  if (talks)
    print ("sinograph launch " + given_options (options) + shell_word (line) + "\n");
  Additions additions{
      {{"line", line}, {"folder", out}}, [&] { save_json (graph, out + "/graph.json", wishes.overwrite); }, {}};
  for (const auto &each : said)
    additions.messages.push_back ({"read", "read", each, true});
  const int status = execute (graph, options, additions);
  if (talks)
    print (results (out, wishes, report));
  return status;
}

} // namespace

int reconstruct (int argc, char **argv)
{
  Options options;
  Wishes wishes;
  auto entries = scan_entries (wishes);
  entries.insert (
      entries.begin (),
      {{"axis", 0, 0, G_OPTION_ARG_FILENAME, &wishes.axis,
        "Rotation axis in detector columns, found automatically if neither given nor in the scan; or a range "
        "start:stop:step, which gives a slice of the middle row for each axis",
        "COLUMN"},
       {"strength", 0, 0, G_OPTION_ARG_STRING, &wishes.strength,
        "Reconstruct by iteration with total variation, for few or noisy projections; 1 suits most scans, "
        "larger values smooth more. A range start:stop gives 16 slices of the middle row",
        "NUMBER"},
       {"rows", 0, 0, G_OPTION_ARG_FILENAME, &wishes.rows, "Detector rows to reconstruct, as begin:end:step", "ROWS"}});
  entries.insert (
      entries.end (),
      {{"type", 0, 0, G_OPTION_ARG_STRING, &wishes.type,
        "Element type of the slices: f32, f16, u16 or u8; integers get a range that is found in a few slices, and "
        "files "
        "say what they stand for",
        "TYPE"},
       {"unit", 0, 0, G_OPTION_ARG_STRING, &wishes.unit, "Unit of the pixel size, if it is not mm: m, cm, mm, um or nm",
        "UNIT"},
       {"volume", 0, 0, G_OPTION_ARG_FILENAME, &wishes.volume,
        "Write one file of this name into OUT instead of slices: volume.vgi, .nrrd, .mhd, .h5, .zarr, .tif or .ome.tif",
        "NAME"},
       {"bin", 0, 0, G_OPTION_ARG_STRING, &wishes.bin, "Combine N x N pixels into one", "N"},
       {"overwrite", 0, 0, G_OPTION_ARG_NONE, &wishes.overwrite, "Replace results of an earlier run in OUT", nullptr}});
  const auto words = parse (
      argc, argv, "reconstruct SCAN [OUT]",
      "Reconstructs a scan, a file or a folder of images, with suitable nodes.\n\n  sinograph reconstruct scan.h5\n  "
      "sinograph reconstruct scan-folder results --rings --angles=0:180\n\nWrites slices/, preview.png (three cuts and "
      "a histogram), report.html and graph.json into OUT, which is SCAN's name and '-slices'\nif not given. 'sinograph "
      "run "
      "OUT/graph.json' runs the graph again. --set can change every property of its nodes.",
      run_entries (options, RunOption::Of::runs, entries));
  if (words.empty () || words.size () > 2)
    throw Wrong (
        SINO_ERROR_BAD_GRAPH,
        text ("reconstruct wants a scan, and optionally a folder for the results, got %zu arguments", words.size ()));
  wishes.settings = options.settings;
  options.title = fs::path (words[0]).filename ().string ();
  return telling (options, [&] { return work (words, wishes, options); });
}

} // namespace sino::cli
