// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds where the detector of a cone-beam scan is, from its projections, before the run.
#include "base/angle.hpp"
#include "base/divide-up.hpp"
#include "filters/find-geometry/circle.hpp"
#include "filters/find-geometry/looker.hpp"
#include "filters/interpolate-metal/wants.hpp"
#include "filters/slice/slices.hpp"
#include "filters/survey/finds.hpp"
#include "glue/learned.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "stream/coverage.hpp"
#include <cmath>
#include <numbers>

namespace sino::find_geometry {
namespace {

constexpr const char *reduced_item = "reduced scan"; // name on the bill
constexpr double least_coherence = 0.5;
constexpr double noticeable = 0.5;           // columns by which two axes may differ
constexpr double noticeable_rows = 0.03;     // of the height: middle rows alike
constexpr double most_distance_error = 0.05; // a greater error is a doubt
constexpr double unseen_distance = 0.3;      // a greater error: nothing is known about it
constexpr double most_widths = 25;           // of the detector: distances that are searched for
constexpr double usual_magnification = 2, turn = 2 * std::numbers::pi;
constexpr int64_t least_columns = 32, least_rows = 16, least_directions = 24;
constexpr int64_t rows_of_fan = 5; // as few as interpolation takes

class FindGeometry final : public survey::Finds
{
public:
  static constexpr Info info{"find-geometry", "Find the place of the detector of a cone-beam scan"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  Format negotiate (std::span<const Format *const> inputs) override;
  std::vector<Rows> survey (const Format &in) const override
  {
    return findings->values.empty () && why_not.empty () ? std::vector<Rows>{{0, in.rows ()}} : std::vector<Rows>{};
  }
  std::unique_ptr<Worker> look (const Replica &) override
  {
    const std::lock_guard lock (findings->mutex);
    findings->values.resize (reduction.bytes () / sizeof (float));
    return std::make_unique<Looker> (reduction, *findings);
  }
  void survey_memory (const Sizing &, Bill &bill) const override
  {
    add_bytes (bill, reduced_item, reduction.bytes ());
    const auto rows = flat ? rows_of_fan : reduction.rows;
    add_bytes (bill, "search", search_bytes (reduction.columns, rows));
    if (flat) // its row, and a copy of it for each row of the fan
      add_bytes (bill, "rows of a fan", (1 + rows_of_fan) * reduction.bytes () / static_cast<size_t> (reduction.rows));
  }
  void miss (const std::string &why) override { findings->missed = why; }

private:
  double magnification = 0;

  Reduction reduction;
  Circle circle;       // as the scan gives it
  bool known = false;  // whether the scan gives the distances
  bool flat = false;   // whether there are too few rows for more than a fan
  std::string why_not; // reason why the geometry cannot be found in this scan
  Learned<Findings> findings;

  void begin (const Format &in);
  std::vector<double> angles_of_views (const Format &in) const;
  Reduced reduced (const Format &in);
  Circle found_circle () const;
  Format not_found (const Format &in, const std::string &why);
  std::string wrong (const Found &result, const Circle &now) const;
  void tell (const Found &result, const Circle &now, int64_t rows);

public:
  static constexpr std::array properties{prop<&FindGeometry::magnification> (
      "magnification",
      "How much larger the object is on the detector, which projections cannot tell; 0: as the scan has it, or 2",
      Range{0, 1e4})};
};

// What is known, and how the scan is reduced.
void FindGeometry::begin (const Format &in)
{
  const auto columns = in.extent (Axis::column), rows = in.rows (), projections = in.angles ();
  why_not.clear ();
  known = !in.geometry->views.empty ();
  if (known) {
    if (const auto given = circle_of (*in.geometry, why_not))
      circle = *given;
  } else {
    circle = {.pixel = in.geometry->pixel_size.value_or (1), .magnification = usual_magnification};
    circle.detector = {.axis = in.geometry->axis.empty () ? 0.5 * static_cast<double> (columns) : in.geometry->axis[0],
                       .row = 0.5 * static_cast<double> (rows),
                       .distance = most_widths * static_cast<double> (columns), // until it has been found
                       .aspect = in.geometry->rows_apart};
    if (in.geometry->axis.size () > 1)
      why_not = "the axis differs from projection to projection";
  }
  if (magnification > 0)
    circle.magnification = magnification;
  flat = rows < least_rows;
  reduction = reduction_of (columns, rows, projections);
  if (!why_not.empty ())
    return;
  const Directions all (in.geometry->angles, turn);
  if (columns < least_columns || static_cast<int64_t> (all.count ()) < least_directions)
    why_not = text ("%d columns and %d directions are needed", static_cast<int> (least_columns),
                    static_cast<int> (least_directions));
  else if (!all.missing_gaps ().empty ())
    why_not = "the projections do not cover a whole turn";
  else if (!(circle.detector.row > 0 && circle.detector.row < static_cast<double> (rows)))
    why_not = "the plane of the source does not meet the detector";
  // The projections that are looked at have to cover the turn, too.
  for (; reduction.step > 1; reduction.step--) {
    reduction.views = divide_up (projections, reduction.step);
    const auto some = angles_of_views (in);
    if (const Directions directions (some, turn);
        directions.missing_gaps ().empty () && static_cast<int64_t> (directions.count ()) >= least_directions)
      break;
  }
  reduction.views = divide_up (projections, reduction.step);
}

std::vector<double> FindGeometry::angles_of_views (const Format &in) const
{
  std::vector<double> angles;
  for (int64_t view = 0; view < reduction.views; view++)
    angles.push_back (in.geometry->angles[static_cast<size_t> (view * reduction.step)] + circle.turned);
  return angles;
}

Reduced FindGeometry::reduced (const Format &in)
{
  Reduced scan{.columns = reduction.columns,
               .rows = reduction.rows,
               .angles = angles_of_views (in),
               .values = std::move (findings->values)};
  const Directions directions (scan.angles, turn);
  scan.directions = static_cast<int64_t> (directions.count ());
  scan.shares = directions.shares ();
  for (auto &share : scan.shares)
    share /= turn;
  return scan;
}

// Leaves of a scan the row in the plane of the source, `rows` times.
void make_fan (Reduced &scan, double middle, int64_t rows)
{
  const auto row = std::clamp<int64_t> (static_cast<int64_t> (middle), 0, scan.rows - 1);
  const auto columns = static_cast<size_t> (scan.columns);
  std::vector<float> line;
  line.reserve (static_cast<size_t> (scan.views ()) * columns);
  for (int64_t view = 0; view < scan.views (); view++)
    line.insert (line.end (), scan.row (view, row), scan.row (view, row) + columns);
  scan.values = {};
  scan.rows = rows;
  scan.values.reserve (line.size () * static_cast<size_t> (rows));
  for (auto at = line.begin (); at != line.end (); at += scan.columns)
    for (int64_t i = 0; i < rows; i++)
      scan.values.insert (scan.values.end (), at, at + scan.columns);
}

Format FindGeometry::negotiate (std::span<const Format *const> inputs)
{
  const auto &in = *inputs[0];
  interpolate_metal::want_attenuation (in);
  slice::check_angles (in);
  say_nothing ();
  begin (in);
  if (const auto &why = why_not.empty () ? findings->missed : why_not; !why.empty ())
    return not_found (in, why);
  auto now = circle;
  if (!findings->values.empty () && !findings->found) {
    auto scan = reduced (in);
    auto start = circle.detector;
    const auto width = static_cast<double> (reduction.column_bin), height = static_cast<double> (reduction.row_bin);
    start.axis /= width, start.distance /= width, start.row /= height, start.aspect *= height / width;
    if (flat) {
      make_fan (scan, start.row, rows_of_fan);
      start.row = 0.5 * static_cast<double> (rows_of_fan);
      start.pitch = start.roll = 0;
    }
    findings->found = search (scan, start, known, flat);
    findings->values.assign (1, 0); // the survey has been made
  }
  if (findings->found) {
    now = found_circle ();
    if (const auto why = wrong (*findings->found, now); !why.empty ())
      return not_found (in, why);
    tell (*findings->found, now, in.rows ());
  }
  auto geometry = *in.geometry;
  geometry.views = views_of (now, geometry.angles);
  if (!geometry.axis.empty ())
    geometry.axis = {now.detector.axis};
  if (findings->holes > 0)
    said.push_back ("values that are no numbers count as 0: put 'fill-holes' before this node");
  Format format = in;
  format.geometry = std::make_shared<const Geometry> (std::move (geometry));
  return format;
}

// The geometry of the scan stays, if there is one.
Format FindGeometry::not_found (const Format &in, const std::string &why)
{
  doubted = text ("the geometry was not found, because %s", why.c_str ());
  if (!known)
    fail (SINO_ERROR_BAD_FORMAT, "%s: give source-origin= and origin-detector= to the source", doubted.c_str ());
  said.push_back (doubted + "; that of the scan is used");
  doubted += "; leave 'find-geometry' out to use that of the scan";
  return in;
}

// Why what was found cannot be right, or "".
std::string FindGeometry::wrong (const Found &result, const Circle &now) const
{
  const auto width = static_cast<double> (reduction.column_bin);
  if (result.coherence < least_coherence)
    return text ("opposite rays have only %.0f %% in common", 100 * result.coherence);
  if (result.errors[distance_number] > unseen_distance ||
      (!known && now.detector.distance > most_widths * width * static_cast<double> (reduction.columns)))
    return "the distance of the detector cannot be seen: the beam is almost parallel, or the angles run the wrong way";
  if (const double axis = now.detector.axis, other = width * result.mirror_axis;
      std::abs (axis - other) > std::max (noticeable, 0.02 * width * static_cast<double> (reduction.columns)))
    return text ("the mean projection gives axis %.2f, and with opposite rays it is %.2f", other, axis);
  return {};
}

Circle FindGeometry::found_circle () const
{
  auto now = circle;
  const auto width = static_cast<double> (reduction.column_bin), height = static_cast<double> (reduction.row_bin);
  now.detector = detector_of (findings->found->values, circle.detector.aspect);
  now.detector.axis *= width, now.detector.distance *= width, now.detector.row *= height;
  if (flat)
    now.detector.row = circle.detector.row, now.detector.pitch = circle.detector.pitch,
    now.detector.roll = circle.detector.roll;
  return now;
}

void FindGeometry::tell (const Found &result, const Circle &now, int64_t rows)
{
  const auto width = static_cast<double> (reduction.column_bin), height = static_cast<double> (reduction.row_bin);
  const auto &errors = result.errors;
  const auto &detector = now.detector;
  const double whole = detector.distance * now.pixel, share = errors[distance_number];
  const auto with_error = [] (const char *name, double value, double error, int digits) {
    return text ("%s %.*f +- %.*f", name, digits, value, digits, error);
  };
  auto line = with_error ("axis", detector.axis, width * errors[axis_number], 3);
  if (!flat)
    line += with_error (", middle row", detector.row, height * errors[row_number], 1) +
            with_error (", roll", degrees (detector.roll), degrees (errors[roll_number]), 3);
  line += with_error (", yaw", degrees (detector.yaw), degrees (errors[yaw_number]), 2) +
          text (" degrees, source to detector %.6g +- %.1f %%", whole, 100 * share);
  if (!flat)
    line += with_error ("; pitch hardly determined:", degrees (detector.pitch), degrees (errors[pitch_number]), 1) +
            " degrees";
  found = line;
  if (known)
    line += text ("; the scan gives axis %.2f, middle row %.1f, roll %.3f, yaw %.2f degrees, source to detector %.6g",
                  circle.detector.axis, circle.detector.row, degrees (circle.detector.roll),
                  degrees (circle.detector.yaw), circle.detector.distance * circle.pixel);
  else if (magnification == 0)
    line += text ("; projections do not tell the magnification: %g is assumed, which sets the size of voxels",
                  usual_magnification);
  said.push_back (line);
  std::vector<std::string> doubts;
  if (!result.row_found)
    doubts.push_back ("planes through two sources do not show the middle row: the given one is used");
  else if (const double row = height * result.values[row_number], other = height * result.other_row;
           !flat && std::abs (row - other) > noticeable_rows * static_cast<double> (rows))
    doubts.push_back (text ("opposite rays give middle row %.1f", other));
  if (result.truncated)
    doubts.push_back ("the object extends beyond the detector, which can move the middle row and the distance by more "
                      "than their errors");
  if (share > most_distance_error)
    doubts.push_back ("the distance of the detector is hardly determined");
  for (const auto &doubt : doubts)
    doubted += (doubted.empty () ? "the geometry is in doubt: " : "; ") + doubt;
  if (!doubted.empty ()) {
    said.push_back (doubted);
    doubted += "; compare slices with and without 'find-geometry'";
  }
}

SINO_REGISTER (FindGeometry)

} // namespace

} // namespace sino::find_geometry
