// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/report/geometry.hpp"
#include "base/angle.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino {

namespace {

// The last stream that still has projections, behind the nodes that found or changed the geometry.
const Format *last_scan (const Net &net)
{
  const Format *found = nullptr;
  for (const auto &node : net.nodes)
    if (!node.is_sink () && node.format && node.format->has (Axis::angle) && node.format->geometry)
      found = node.format.get ();
  return found;
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
void add_views (FactList &facts, const Geometry &geometry, const std::string &unit)
{
  const auto &view = geometry.views.front ();
  facts.add ("beam", view.parallel ? "parallel, tilted" : "cone or fan");
  if (!view.parallel) {
    const auto distances = distances_of (view);
    facts.add ("source to axis", distances.axis, unit);
    facts.add ("source to detector", distances.detector, unit);
    if (distances.axis > 0)
      facts.add ("magnification", distances.detector / distances.axis, "");
  }
  const auto spot = project (matrix_of (view), {0, 0, 0});
  facts.add ("axis", spot.column, "columns", ", where the first projection shows the origin");
  facts.add ("middle row", spot.row, "rows");
  facts.add ("columns lean towards the axis by",
             degrees (std::asin (std::clamp (view.column.z / length (view.column), -1.0, 1.0))), "degrees");
}

void add_axis (FactList &facts, const std::vector<double> &axis)
{
  facts.add ("beam", "parallel");
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
  const auto *scan = last_scan (net);
  if (!scan)
    return {};
  const auto &geometry = *scan->geometry;
  const std::string unit = !geometry.pixel_size ? "columns" : geometry.in_mm ? "mm" : "in the scan's unit of length";
  if (geometry.views.empty ())
    add_axis (facts, geometry.axis);
  else
    add_views (facts, geometry, unit);
  add_angles (facts, geometry.angles);
  facts.add ("detector columns", static_cast<double> (scan->extent (Axis::column)), "");
  facts.add ("detector rows", static_cast<double> (scan->extent (Axis::row)), "");
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
