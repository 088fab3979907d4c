// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/inspect/scan.hpp"
#include "base/angle.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "scan/chain.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

std::string line (const char *name, const std::string &text)
{
  return sino::text ("  %-12s ", name) + text + "\n";
}

std::string frames_text (const std::shared_ptr<const Frames> &frames)
{
  if (!frames || frames->count == 0)
    return "none";
  return text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels, %s", frames->count,
               frames->rows, frames->columns, name_of (frames->element));
}

std::string angles_text (const Geometry *geometry)
{
  if (!geometry || geometry->angles.empty ())
    return "none: give --angles=, for example --angles=0:180";
  const auto &angles = geometry->angles;
  const double first = degrees (angles.front ()), last = degrees (angles.back ());
  const double step = angles.size () > 1 ? (last - first) / static_cast<double> (angles.size () - 1) : 0;
  const bool even = std::ranges::all_of (angles, [&, i = 0.0] (double angle) mutable {
    return std::abs (degrees (angle) - first - step * i++) < 1e-3 * std::abs (step);
  });
  return text ("%.6g to %.6g degrees", first, last) +
         (even ? text (" in steps of %.6g", step) : std::string (", uneven"));
}

std::string axis_text (const Geometry *geometry)
{
  if (geometry && !geometry->views.empty ())
    return "given by the geometry";
  if (!geometry || geometry->axis.empty ())
    return "unknown: it will be found automatically";
  if (geometry->axis.size () > 1)
    return "one for each projection";
  return text ("column %.6g", geometry->axis[0]);
}

} // namespace

std::string scan_text (const std::string &path)
{
  const scan::Wishes wishes;
  const auto seen = scan::look_at_scan (path, wishes);
  const auto &format = seen.format;
  const auto *geometry = format.geometry.get ();
  std::string out = path + "\n" + seen.table + line (sino::name_of (format.kind ()), format.describe ());
  if (format.kind () == Kind::projections || format.kind () == Kind::sinograms) {
    out += line ("darks", frames_text (format.companions.darks)) +
           line ("flats", frames_text (format.companions.flats)) + line ("angles", angles_text (geometry)) +
           line ("axis", axis_text (geometry)) +
           line ("beam",
                 geometry && !geometry->views.empty () ? "cone or tilted: a view for each projection" : "parallel");
  }
  out += line ("pixel size",
               geometry && geometry->pixel_size ? text ("%g", *geometry->pixel_size) : std::string ("unknown"));
  if (geometry && geometry->energy)
    out += line ("energy", text ("%g keV", *geometry->energy));
  if (geometry && geometry->distance)
    out += line ("distance", text ("%g m from sample to detector", *geometry->distance));
  for (const auto &message : seen.messages)
    out += line ("note", message);
  try {
    std::vector<std::string> said;
    auto chain = scan::chain_of (seen, wishes, &said);
    for (const auto &message : said)
      out += line ("note", message);
    chain.add ("write").set ("path", "slices/%05i.tif");
    out += "\n  sinograph reconstruct " + shell_word (path) + "\n\nor, to change the nodes:\n\n  sinograph launch " +
           shell_word (chain.text ()) + "\n";
  } catch (const scan::Missing &missing) {
    out += text ("\nmissing: %s\n", missing.what ());
  }
  return out;
}

} // namespace sino::cli
