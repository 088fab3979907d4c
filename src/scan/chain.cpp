// SPDX-License-Identifier: LGPL-3.0-or-later
#include "scan/chain.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/formats.hpp"
#include "graph/launch-words.hpp"
#include "graph/launch.hpp"
#include "plan/net.hpp"
#include "scan/description.hpp"
#include "scan/folder.hpp"
#include "scan/values.hpp"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace sino::scan {

namespace fs = std::filesystem;

namespace {

// Whether a folder is a scan itself, for example Zarr.
bool is_format (const std::string &folder)
{
  return std::ranges::any_of (formats::registered<formats::ReadingFormat> (), [&] (const auto *format) {
    return format->folders && formats::has_suffix (folder, format->suffixes);
  });
}

// The format of the scan that `read` opens, and its messages.
Format look_at (const LineNode &read, std::vector<std::string> *messages = nullptr)
{
  return negotiate (parse_launch (read.text () + " ! null"), *native_device (), messages).front ();
}

// "start:stop" in degrees for even angles, stop excluded; "" for others.
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

// The value of `angles` for a folder's text file: the file, or a range if the file also counts darks and flats.
std::string angles_in (const std::string &text, LineNode reading)
{
  try {
    reading.set ("angles", text);
    look_at (reading);
    return text;
  } catch (const Error &) {
    LineNode images{"read"};
    for (const char *property : {"path", "dataset", "raw", "axes"})
      images.set (property, reading.value_of (property));
    images.set ("missing", reading.value_of ("missing") == "skip" ? "zero" : reading.value_of ("missing"));
    bool all = false;
    const auto list = angles_of_file (text, look_at (images).angles (), &all);
    if (all)
      throw; // the file has one angle per projection, so the reason is another one
    auto range = as_range (list);
    if (range.empty () || !reading.value_of ("projections").empty ())
      fail (SINO_ERROR_BAD_FILE,
            "'%s' also has angles for darks and flats, and its angles are uneven or --projections= is given: give "
            "--angles=FILE with one per projection",
            text.c_str ());
    return range;
  }
}

// The node that reads the scan.
LineNode reading_node (const std::string &scan, const Wishes &wishes, std::string &table)
{
  LineNode asked{"read"}; // settings of --set, which take precedence
  std::vector nodes{asked};
  apply (wishes.settings, nodes);
  asked = nodes[0];
  const auto given = [&] (const char *word, const char *property) {
    return word != nullptr || !asked.value_of (property).empty ();
  };
  ScanFolder parts{.projections = fs::absolute (scan).lexically_normal ().string ()};
  const bool folder = fs::is_directory (scan) && !is_format (scan);
  const auto description = folder ? description_in (parts.projections) : std::string ();
  if (!description.empty ()) {
    parts.projections = description;
    table = text ("  %-12s     1 file   %s\n", "description",
                  shown (fs::path (description).filename ().string ()).c_str ());
  } else if (folder) {
    const KnownParts known{.darks = given (wishes.darks, "darks"),
                           .darks_after = given (nullptr, "darks-after"),
                           .flats = given (wishes.flats, "flats"),
                           .flats_after = given (wishes.flats_after, "flats-after"),
                           .angles = given (wishes.angles, "angles") || given (wishes.geometry, "geometry"),
                           .raw = given (wishes.raw, "raw")};
    parts = look_into (parts.projections, known);
    table = parts.table;
  }
  LineNode read{"read"};
  const auto say = [&] (const char *property, const char *word, const std::string &found = {}) {
    read.set (property, word ? word : found);
  };
  read.set ("path", parts.projections);
  say ("raw", wishes.raw);
  read.set ("axes", wishes.sinograms ? "sinograms" : "");
  say ("darks", wishes.darks, parts.darks);
  say ("darks-after", nullptr, parts.darks_after);
  say ("flats", wishes.flats, parts.flats);
  say ("flats-after", wishes.flats_after, wishes.flats ? "" : parts.flats_after);
  say ("angles", wishes.angles);
  say ("projections", wishes.projections);
  say ("rows", wishes.rows);
  say ("axis", wishes.tries_axes () ? nullptr : wishes.axis);
  say ("values", wishes.values);
  say ("missing", wishes.missing);
  say ("geometry", wishes.geometry);
  say ("source-origin", wishes.source_origin);
  say ("origin-detector", wishes.origin_detector);
  say ("pixel-size", wishes.pixel_size);
  nodes = {read};
  apply (wishes.settings, nodes);
  read = nodes[0];
  if (!parts.angles.empty ())
    read.set ("angles", angles_in (parts.angles, read));
  return read;
}

bool is_whole_turn (const Geometry &geometry)
{
  const auto [least, most] = std::ranges::minmax (geometry.angles);
  const double step = (most - least) / static_cast<double> (std::max<size_t> (geometry.angles.size (), 2) - 1);
  return std::abs (most - least + step - 2 * std::numbers::pi) < 2 * step;
}

} // namespace

SeenScan look_at_scan (const std::string &scan, const Wishes &wishes)
{
  SeenScan seen{.path = scan};
  seen.read = reading_node (scan, wishes, seen.table);
  seen.format = look_at (seen.read, &seen.messages);
  return seen;
}

// A node with the properties in the value of an option; throws if it contains anything else.
static LineNode node_with (const char *type, const char *option, const char *words, const char *example)
{
  LineNode node{type};
  for (const auto &token : cut (words)) {
    if (token.kind == Token::Kind::end)
      break;
    if (token.kind != Token::Kind::word || token.assign == std::string::npos)
      throw Missing (SINO_ERROR_BAD_PROPERTY,
                     text ("%s=%s: give properties of %s, as in %s", option, words, type, example));
    node.set (token.text.substr (0, token.assign), token.text.substr (token.assign + 1));
  }
  return node;
}

static std::vector<LineNode> with (char **settings, std::vector<LineNode> nodes)
{
  apply (settings, nodes);
  return nodes;
}

// 'correct-beam-hardening' with the properties that the user gives.
static LineNode hardening_node (const char *words)
{
  return node_with ("correct-beam-hardening", "--beam-hardening", strcmp (words, "auto") == 0 ? "" : words,
                    "--beam-hardening='material=Al voltage=100', or --beam-hardening=auto");
}

// Whether it finds the correction from slices.
static bool finds_correction (const LineNode &hardening)
{
  return hardening.value_of ("coefficients").empty () && hardening.value_of ("material").empty () &&
         hardening.value_of ("wedge").empty ();
}

ScanLine chain_of (const SeenScan &seen, const Wishes &wishes, std::vector<std::string> *said)
{
  const auto &scan = seen.path;
  const auto &format = seen.format;
  const auto kind = format.kind ();
  if (kind == Kind::slices)
    throw Missing (SINO_ERROR_BAD_FORMAT,
                   text ("'%s' contains %s, but must contain projections", scan.c_str (), format.describe ().c_str ()));
  if (kind == Kind::sinograms && wishes.phase)
    throw Missing (SINO_ERROR_BAD_PROPERTY,
                   "--phase is for projections, because it uses neighbouring rows: leave out --phase or --sinograms");
  if (!format.geometry || format.geometry->angles.empty ())
    throw Missing (SINO_ERROR_BAD_FORMAT, text ("'%s' has no angles: give --angles=start:stop in degrees (stop "
                                                "excluded), such as --angles=0:180, or --angles=FILE "
                                                "with one angle per projection",
                                                scan.c_str ()));
  const bool parallel = format.geometry->views.empty () && !wishes.find_geometry;
  std::vector<LineNode> bin;
  if (wishes.bin)
    bin.push_back (LineNode{"bin"}.set ("columns", wishes.bin));
  apply (wishes.settings, bin);
  const auto values = to_attenuation (scan, format, wishes.phase, bin.empty () ? nullptr : &bin[0]);
  if (said)
    *said = values.said;
  if (wishes.phase && wishes.find_geometry && format.geometry->views.empty ())
    throw Missing (SINO_ERROR_BAD_PROPERTY,
                   "--phase wants the distances of a cone beam, which --find-geometry finds too late: give "
                   "--source-origin= and --origin-detector=");
  ScanLine line{{seen.read}};
  for (const auto &[property, value] : values.read)
    line.nodes[0].set (property, value);
  line.nodes.insert (line.nodes.end (), bin.begin (), bin.end ());
  line.nodes.insert (line.nodes.end (), values.nodes.begin (), values.nodes.end ());
  const bool whole = parallel && is_whole_turn (*format.geometry) && !wishes.tries_axes ();
  std::vector<LineNode> hardening;
  if (wishes.beam_hardening)
    hardening.push_back (hardening_node (wishes.beam_hardening));
  const bool hardening_is_found = std::ranges::any_of (with (wishes.settings, hardening), finds_correction);
  if (!format.finite && !format.companions.flats &&
      (wishes.phase || wishes.rings || wishes.metal || wishes.drift || wishes.find_geometry || hardening_is_found ||
       whole))
    line.add ("fill-holes"); // 'reconstruct' does so itself, but other nodes come before it
  if (wishes.phase)
    line.nodes.push_back (
        node_with ("retrieve-phase", "--phase", wishes.phase, "--phase='energy=20 distance=0.1 delta-beta=300'"));
  if (wishes.tilt && !(parallel && kind == Kind::projections))
    throw Missing (SINO_ERROR_BAD_PROPERTY, "--tilt is for projections of a parallel beam: leave it out");
  if (wishes.tilt)
    line.add ("rotate").set ("angle", wishes.tilt).set ("geometry", "stays");
  if (!parallel && wishes.rings)
    throw Missing (SINO_ERROR_BAD_PROPERTY,
                   "--rings is for parallel beams, where rings in slices are stripes in sinograms");
  if (!parallel && wishes.tries_axes ())
    throw Missing (SINO_ERROR_BAD_PROPERTY, "--axis=start:stop:step is for parallel beams");
  if (hardening_is_found && wishes.tries_axes ())
    throw Missing (
        SINO_ERROR_BAD_PROPERTY,
        "--beam-hardening= without coefficients=, material= and wedge= reconstructs slices, and --axis= gives "
        "no single axis: give the axis, or one of these properties");
  if (wishes.drift && kind != Kind::projections)
    throw Missing (SINO_ERROR_BAD_PROPERTY, "--drift is for projections, whose rows move, too: leave it out");
  if (wishes.drift && wishes.tries_axes ())
    throw Missing (
        SINO_ERROR_BAD_PROPERTY,
        "--drift reconstructs slices, and --axis= gives no single axis: give the axis, or leave out --drift");
  if (wishes.find_geometry)
    line.add ("find-geometry");
  if (wishes.drift)
    line.add ("correct-drift");
  const bool axis_is_found = whole || (hardening_is_found && parallel);
  if ((axis_is_found || wishes.rings) && kind == Kind::projections)
    line.add ("interleave");
  if (wishes.rings)
    line.add ("remove-stripes");
  if (axis_is_found)
    line.add ("find-axis");
  line.nodes.insert (line.nodes.end (), hardening.begin (), hardening.end ());
  if (whole)
    line.add ("stitch-360").set ("least-offset", "0.01").set ("join", "needed");
  if (wishes.metal)
    line.add ("reduce-metal").set ("threshold", wishes.metal);
  line.add ("reconstruct")
      .set ("axis", wishes.tries_axes () ? wishes.axis : "")
      .set ("method", wishes.strength ? "tv" : "")
      .set ("strength", wishes.strength ? wishes.strength : "");
  apply (wishes.settings, line.nodes);
  return line;
}

} // namespace sino::scan
