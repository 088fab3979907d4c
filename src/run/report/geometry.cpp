// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/report/geometry.hpp"
#include "base/angle.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino {

namespace {

struct Scan {
  const Format *read = nullptr;  // the scan as it was read
  const Format *found = nullptr; // the last stream of its projections whose axis or views are known, or the scan itself
};

Scan scan_in (const Net &net)
{
  Scan scan;
  std::vector<bool> of_scan;
  for (const auto &node : net.nodes) {
    const bool projections = !node.is_sink () && node.format && node.format->has (Axis::angle) && node.format->geometry;
    const bool follows =
        std::ranges::any_of (node.producers, [&] (int n) { return n >= 0 && of_scan[static_cast<size_t> (n)]; });
    of_scan.push_back (projections && (follows || !scan.read));
    if (!of_scan.back ())
      continue;
    const auto *format = node.format.get ();
    if (!scan.read)
      scan.read = format;
    if (!scan.found || !format->geometry->views.empty () || !format->geometry->axis.empty ())
      scan.found = format;
  }
  return scan;
}

// Nodes cut, add, mirror and combine columns or rows: a place in the stream that was found, as a place in the scan that
// was read.
double as_read (const Scan &scan, Axis axis, double place)
{
  const auto &from = scan.found->dim (axis), &to = scan.read->dim (axis);
  const double step = static_cast<double> (from.step) / static_cast<double> (to.step),
               first = static_cast<double> (from.first - to.first) / static_cast<double> (to.step);
  return first + std::abs (step) * (step > 0 ? place : 1 - place);
}

class FactList
{
public:
  std::vector<GeometryFact> list;

  void add (const char *name, double value, const std::string &unit, const std::string &more = {})
  {
    list.push_back ({name, text ("%.10g", value) + (unit.empty () ? "" : " " + unit) + more, value});
  }
  void add (const char *name, const std::string &words) { list.push_back ({name, words}); }
};

void add_angles (FactList &facts, const std::vector<double> &angles)
{
  facts.add ("projections", static_cast<double> (angles.size ()), "");
  if (angles.size () < 2)
    return;
  facts.add ("first angle", degrees (angles.front ()), "degrees");
  facts.add ("last angle", degrees (angles.back ()), "degrees");
}

// Distances of the first view: a circular scan has the same in all.
void add_views (FactList &facts, const Scan &scan, const std::string &unit)
{
  const auto &view = scan.found->geometry->views.front ();
  facts.add ("beam", view.parallel ? "parallel, tilted" : "cone or fan");
  if (!view.parallel) {
    const auto distances = distances_of (view);
    facts.add ("source to axis", distances.axis, unit);
    facts.add ("source to detector", distances.detector, unit);
    if (distances.axis > 0)
      facts.add ("magnification", distances.detector / distances.axis, "");
  }
  const auto spot = project (matrix_of (view), {0, 0, 0});
  facts.add ("axis", as_read (scan, Axis::column, spot.column), "columns",
             ", where the first projection shows the origin");
  facts.add ("middle row", as_read (scan, Axis::row, spot.row), "rows");
  facts.add ("columns lean towards the axis by",
             degrees (std::asin (std::clamp (view.column.z / length (view.column), -1.0, 1.0))), "degrees");
}

void add_axis (FactList &facts, const Scan &scan)
{
  facts.add ("beam", "parallel");
  auto axis = scan.found->geometry->axis;
  for (auto &column : axis)
    column = as_read (scan, Axis::column, column);
  if (axis.size () == 1)
    facts.add ("axis", axis[0], "columns");
  else if (axis.size () > 1) {
    const auto [least, most] = std::ranges::minmax (axis);
    facts.add ("axis", text ("from %.10g to %.10g columns, one for each projection", least, most));
  }
}

} // namespace

std::vector<GeometryFact> geometry_facts (const Net &net)
{
  FactList facts;
  const auto scan = scan_in (net);
  if (!scan.read)
    return {};
  const auto &geometry = *scan.read->geometry;
  const std::string unit = !geometry.pixel_size ? "columns" : geometry.in_mm ? "mm" : "in the scan's unit of length";
  if (scan.found->geometry->views.empty ())
    add_axis (facts, scan);
  else
    add_views (facts, scan, unit);
  add_angles (facts, geometry.angles);
  facts.add ("detector columns", static_cast<double> (scan.read->extent (Axis::column)), "");
  facts.add ("detector rows", static_cast<double> (scan.read->extent (Axis::row)), "");
  if (geometry.pixel_size)
    facts.add ("distance of columns", *geometry.pixel_size, unit);
  if (geometry.pixel_size && geometry.rows_apart != 1)
    facts.add ("distance of rows", *geometry.pixel_size * geometry.rows_apart, unit);
  if (geometry.energy)
    facts.add ("energy", *geometry.energy, "keV");
  if (geometry.distance)
    facts.add ("sample to detector", *geometry.distance, "m");
  return std::move (facts.list);
}

} // namespace sino
