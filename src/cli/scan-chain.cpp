// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/scan-chain.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/scan-folder.hpp"
#include "graph/launch.hpp"
#include "run/net.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numbers>

namespace sino::cli {

namespace fs = std::filesystem;

namespace {

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

} // namespace

std::string setting (const char *name, const std::string &value)
{
  return value.empty () ? "" : " " + (name + ("=" + quoted (value)));
}

namespace {

std::string word_of (const char *given)
{
  return given ? given : "";
}

// What `read` says of the scan, and tells people.
Format look_at (const std::string &read, std::vector<std::string> *messages = nullptr)
{
  return negotiate (parse_launch (read + " ! null"), *native_device (), messages).front ();
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
  const auto axes = setting ("axes", wishes.sinograms ? "sinograms" : "");
  auto angles = word_of (wishes.angles);
  if (angles.empty () && !parts.angles.empty ()) {
    const auto format = look_at ("read" + setting ("path", parts.projections) + axes);
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
  return "read" + setting ("path", parts.projections) + axes + setting ("darks", parts.darks) +
         setting ("flats", parts.flats) + setting ("angles", angles) + setting ("rows", word_of (wishes.rows)) +
         setting ("axis", wishes.tries_axes () ? "" : word_of (wishes.axis));
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
  auto read = reading_node (scan, wishes);
  std::vector<std::string> messages;
  auto format = look_at (read, &messages);
  return {scan, std::move (read), std::move (format), std::move (messages)};
}

std::string chain_of (const SeenScan &seen, const Wishes &wishes)
{
  const auto &[scan, read, format, messages] = seen;
  const auto kind = format.kind ();
  if (kind == Kind::slices)
    throw Wrong (SINO_ERROR_BAD_FORMAT,
                 text ("'%s' holds %s, and projections are wanted", scan.c_str (), format.describe ().c_str ()));
  if (wishes.phase)
    for (const auto &word : split (wishes.phase, ' '))
      if (!word.empty () && word.find ('=') == word.npos)
        throw Wrong (SINO_ERROR_BAD_PROPERTY,
                     text ("--phase=%s: properties of retrieve-phase are wanted, as in --phase='energy=20 distance=0.1 "
                           "delta-beta=300'",
                           wishes.phase));
  if (kind == Kind::sinograms && wishes.phase)
    throw Wrong (SINO_ERROR_BAD_PROPERTY, "--phase is for projections, as it looks at neighbouring rows: leave it or "
                                          "--sinograms out");
  if (!format.geometry || format.geometry->angles.empty ())
    throw Wrong (SINO_ERROR_BAD_FORMAT, text ("'%s' has no angles: give --angles=start:stop in degrees (stop "
                                              "excluded), such as --angles=0:180, or --angles=FILE "
                                              "with one angle per projection",
                                              scan.c_str ()));
  const bool parallel = format.geometry->views.empty ();
  auto chain = read;
  if (wishes.bin)
    chain += " ! bin" + setting ("columns", wishes.bin);
  if (format.companions.flats)
    chain += " ! flat-field" + std::string (wishes.phase ? " absorption=false" : "");
  else if (format.element != Element::f32)
    throw Wrong (SINO_ERROR_BAD_FORMAT, text ("'%s' holds %s, and has no flats: give --flats= (and --darks=)",
                                              scan.c_str (), format.describe ().c_str ()));
  if (wishes.phase)
    chain += text (" ! retrieve-phase %s", wishes.phase);
  if (!parallel && wishes.rings)
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 "--rings is for parallel beams, whose sinograms have stripes where slices have rings");
  if (!parallel && wishes.tries_axes ())
    throw Wrong (SINO_ERROR_BAD_PROPERTY, "--axis=start:stop:step is for parallel beams");
  const bool whole = parallel && is_whole_turn (*format.geometry) && !wishes.tries_axes ();
  if ((whole || wishes.rings) && kind == Kind::projections)
    chain += " ! interleave";
  if (wishes.rings)
    chain += " ! remove-stripes";
  if (whole)
    chain += " ! find-axis ! stitch-360 least-offset=0.05";
  return chain + " ! reconstruct" + (wishes.tries_axes () ? setting ("axis", wishes.axis) : "");
}

} // namespace sino::cli
