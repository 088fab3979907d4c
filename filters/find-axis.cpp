// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the unknown axis of rotation of a scan from some of its rows, before the run.
#include "base/error.hpp"
#include "filters/find-axis/looker.hpp"
#include "filters/slice/slices.hpp"
#include "filters/survey/finds.hpp"
#include "glue/learned.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include <cmath>
#include <numbers>

namespace sino::find_axis {
namespace {

constexpr Nick<Way> ways[] = {
    {Way::automatic, "auto"}, {Way::opposites, "opposites"}, {Way::wedge, "wedge"}, {Way::sharpness, "sharpness"}};
constexpr int64_t band_rows = 4;
constexpr double most_attenuation = 15;
// greater values at the borders of the detector, as a share of the mean, cause a warning
constexpr double border_share = 0.15;
constexpr double most_doubt = 2; // columns, over the height of the detector: a less certain tilt is not reported

class FindAxis final : public survey::Finds
{
public:
  static constexpr Info info{"find-axis", "Find the rotation axis of a scan in which it is unknown"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  Format negotiate (std::span<const Format *const> inputs) override;
  std::vector<Rows> survey (const Format &in) const override;
  std::unique_ptr<Worker> look (const Replica &replica) override
  {
    return std::make_unique<Looker> (replica, search, *findings);
  }
  void survey_memory (const Sizing &sizing, Bill &bill) const override;
  bool leaves_out_rows () const override { return true; }
  // Weighted sums of rows, with the same weights above and below, have the same axis.
  bool takes_estimates () const override { return true; }
  void miss (const std::string &why) override { findings->missed = why; }

private:
  Way method = Way::automatic;
  int rows = 16;
  bool again = false;

  bool surveyed = false;
  int64_t columns = 0, projections = 0, height = 0;
  Search search;
  Learned<Findings> findings;
  std::string short_arc; // text for the angle of the scan, if it is less than half a turn

  std::string prepare (const Format &in);
  std::vector<Rows> bands (int64_t all) const;
  std::string tilt (const Verdict &verdict, std::vector<std::string> &messages);
  bool wanted (const Format &in) const { return again || !in.geometry || in.geometry->axis.empty (); }
  double settle (const std::string &why);
  bool judge_values ();

public:
  static constexpr std::array properties{
      prop<&FindAxis::method> (
          "method",
          "Method: opposites (projections half a turn apart are mirror images), wedge (a whole turn has no harmonics "
          "outside the double wedge), sharpness (the slice is sharpest), or auto (the one of the first two that suits "
          "the angles, the other to compare, and sharpness if the result is in doubt)",
          ways),
      prop<&FindAxis::rows> ("rows", "Number of detector rows to examine", Range{1, 256}),
      prop<&FindAxis::again> ("again", "Find the axis even if the scan gives it"),
  };
};

std::vector<Rows> FindAxis::survey (const Format &in) const
{
  if (surveyed || !wanted (in) || (search.turn.rows.empty () && !search.always))
    return {};
  return bands (in.rows ());
}

std::vector<Rows> FindAxis::bands (int64_t all) const
{
  if (all <= rows)
    return {{0, all}};
  // Bands of rows away from the upper and lower border of the detector, where the object is seen least.
  const int64_t number = std::max<int64_t> (divide_up (rows, band_rows), 1), each = std::min<int64_t> (rows, band_rows);
  std::vector<Rows> list;
  for (int64_t b = 0; b < number; b++) {
    const auto middle =
        static_cast<double> (all) * (0.1 + 0.8 * (static_cast<double> (b) + 0.5) / static_cast<double> (number));
    const auto first = std::clamp<int64_t> (static_cast<int64_t> (middle) - each / 2,
                                            list.empty () ? 0 : list.back ().end, all - (number - b) * each);
    list.push_back ({first, first + each});
  }
  return list;
}

void FindAxis::survey_memory (const Sizing &sizing, Bill &bill) const
{
  const auto row = static_cast<size_t> (columns) * sizeof (float);
  const auto at_once = std::clamp<int64_t> (sizing.input_rows, 1, std::max<int64_t> (std::ssize (search.rows), 1));
  const auto collected = rows_together (at_once, std::ssize (search.rows), sizing.threads);
  add_pages (bill, sinograms_item, static_cast<size_t> (collected * projections) * row);
  add_bytes (bill, rows_item, static_cast<size_t> (collected) * sizeof (ExaminedRow));
  const auto together = static_cast<size_t> (rows_at_once (collected, sizing.threads));
  add_pages (bill, binned_item, search.methods.empty () ? 0 : Mirrors::pages (search.turn, columns), together);
  if (!search.methods.empty ())
    Mirrors::memory (search.turn, columns, sizing.threads, together, bill);
  if (search.focus)
    add_bytes (bill, "slices of axes to try", search.focus->bytes (sizing.threads));
}

// Chooses the rows to look at and the methods. Returns why no axis can be found, or "".
std::string FindAxis::prepare (const Format &in)
{
  auto why = find_axis::prepare (search, in.geometry->angles, columns, method);
  short_arc = search.arc > 0 ? text (", of %.4g degrees", search.arc * 180 / std::numbers::pi) : "";
  // Slices are reconstructed from one row of each band.
  for (const auto &band : bands (height)) {
    for (auto row = band.begin; row < band.end; row++)
      search.rows.push_back (row);
    for (auto row = band.begin + std::min<int64_t> (band.size () / 2, 2); row < band.end; row += band_rows)
      search.slices.push_back (row);
  }
  return why;
}

Format FindAxis::negotiate (std::span<const Format *const> inputs)
{
  Format format = *inputs[0];
  const auto &in = *inputs[0];
  if (in.geometry && !in.geometry->views.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "wants a parallel beam at right angles to the axis: for other scans the geometry gives the axis");
  slice::check_angles (in);
  say_nothing ();
  columns = in.line ();
  projections = in.angles ();
  if (!wanted (in))
    return format;
  height = in.rows ();
  auto why = prepare (in);
  if (why.empty ())
    why = findings->missed;
  double axis = 0;
  if (why.empty () && findings->matches.empty () && findings->values.empty ())
    axis = 0.5 * static_cast<double> (columns); // the middle, until the survey has found the axis
  else {
    surveyed = true;
    axis = settle (why);
    format.truncated = judge_values ();
  }
  auto geometry = *in.geometry;
  geometry.axis = {axis};
  format.geometry = std::make_shared<const Geometry> (std::move (geometry));
  return format;
}

// Returns the axis and collects the messages about it. `why`: the reason if the rows show nothing.
double FindAxis::settle (const std::string &why)
{
  const double middle = 0.5 * static_cast<double> (columns);
  const auto take_middle = [&] (const std::string &reason) {
    said.push_back (
        text ("the axis was not found, because %s: the middle, column %g, is used; give the axis, as axis=%g",
              reason.c_str (), middle, middle));
    found = text ("axis %g, assumed in the middle", middle);
    doubted = said.back ();
    return middle;
  };
  if (!why.empty ())
    return take_middle (why);
  const auto verdicts = heard (search, *findings, columns, height);
  const auto decision = decide (verdicts);
  if (!decision) {
    std::string guesses;
    for (const auto &each : verdicts)
      if (each.any ())
        guesses += (guesses.empty () ? " (" : "; ") + each.words ();
    return take_middle ("the examined rows show too little of the object" + guesses + (guesses.empty () ? "" : ")"));
  }
  const auto &best = decision->best;
  auto line = text ("the axis is at column %s", best.value ().c_str ());
  if (best.method == Method::sharpness)
    line += text (" (sharpness of %zu slices%s)", best.rows, short_arc.c_str ());
  else
    line += text (" (%s of %zu rows, where %.0f %% match)", name_of (best.method), best.rows, 100 * best.coherence);
  found = text ("axis %.4f, found by %s", best.axis, name_of (best.method));
  for (const auto &other : decision->agree)
    line += text ("; %s: %.2f", name_of (other.method), other.axis);
  if (const auto doubt = decision->doubt (); !doubt.empty ()) {
    line += "; this is in doubt: " + doubt;
    doubted = line + text ("; give the axis, as axis=%.2f", best.axis);
  }
  std::vector<std::string> cure;
  line += tilt (best, cure);
  said.push_back (line);
  said.insert (said.end (), cure.begin (), cure.end ());
  return best.axis;
}

// Reports the tilt of the axis. Slices show a shift of half a column between the first and the last row.
std::string FindAxis::tilt (const Verdict &verdict, std::vector<std::string> &messages)
{
  if (!verdict.line || verdict.line->error * static_cast<double> (height - 1) > most_doubt)
    return {};
  const auto &line = *verdict.line;
  const double degrees = std::atan (line.slope) * 180 / std::numbers::pi;
  const auto angle = text ("%.3f +- %.3f degrees", degrees, line.error * 180 / std::numbers::pi);
  const double moves = line.slope * static_cast<double> (height - 1);
  found += ", tilted by " + angle;
  if (line.sure () && std::abs (moves) > noticeable)
    messages.push_back (
        text ("the axis is tilted by %s: it moves by %.2f columns from the first row to the last, and only the middle "
              "slices are right; put 'rotate angle=%.3f' before this node, and run again",
              angle.c_str (), moves, degrees));
  return "; tilt " + angle;
}

// Collects warnings if values are no attenuation, or do not fall to zero at the borders of the detector; returns
// whether they do not fall to zero.
bool FindAxis::judge_values ()
{
  double mean = 0, border = 0, below = 0;
  for (const auto &[row, values] : findings->values) {
    mean += std::abs (values.mean);
    border += values.border;
    below += values.below;
  }
  const auto rows_seen = static_cast<double> (findings->values.size ());
  if (mean > most_attenuation * rows_seen)
    said.push_back (text ("values are about %.3g, but attenuation is rarely above %g: 'flat-field' turns counts into "
                          "attenuation, and -ln turns transmission into attenuation",
                          mean / rows_seen, most_attenuation));
  const bool truncated = border > border_share * mean;
  if (truncated && below > 0.5 * border)
    said.push_back (text (
        "values beside the object are about %.3g, as if the flats had %.0f %% of the light of the projections: use "
        "flats of the same exposure, or put 'correct-dose' with a region beside the object after 'flat-field'",
        -below / rows_seen, 100 * std::exp (-below / rows_seen)));
  else if (truncated)
    said.push_back (text (
        "values do not fall to zero at the borders of the detector (%.0f %% of the mean): the object extends beyond "
        "it, or the flats are brighter than the beam; padding-mode=auto pads rows with their first and last values",
        100 * border / mean));
  return truncated;
}

SINO_REGISTER (FindAxis)

} // namespace

} // namespace sino::find_axis
