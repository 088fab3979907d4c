// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/slices.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "stream/coverage.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::slice {

constexpr double pi = std::numbers::pi;

void check_sinograms (const Format &in)
{
  if (in.geometry && !in.geometry->views.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "wants a parallel beam at right angles to the axis, and %s has another geometry: use 'cone-weight ! "
          "ramp-filter ! cone-back-project' on its projections",
          in.source.empty () ? "the scan" : in_quotes (in.source).c_str ());
  check_angles (in);
  check_angles_differ (in);
}

void check_angles (const Format &in)
{
  const auto angles = in.geometry ? in.geometry->angles.size () : 0;
  if (angles == 0)
    fail (SINO_ERROR_BAD_FORMAT,
          "the projections have no angles: give %s angles=start:stop (degrees, stop excluded, for example "
          "angles=0:180) or angles=FILE with one angle per projection",
          in.source.empty () ? "the source" : in_quotes (in.source).c_str ());
  if (static_cast<int64_t> (angles) != in.angles ())
    fail (SINO_ERROR_BAD_FORMAT, "there are %zu angles for %" G_GINT64_FORMAT " projections", angles, in.angles ());
}

void check_not_filtered (const Format &in)
{
  if (!in.filtered_by.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "filters rows itself, but '%s' has filtered them already: leave out that node, or set window=none",
          in.filtered_by.c_str ());
}

static int64_t extent (const char *name, const char *first_name, int first, int wanted, int64_t size)
{
  if (first >= size)
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%d is outside the slice of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels",
          first_name, first, size, size);
  if (wanted > size - first)
    fail (SINO_ERROR_BAD_PROPERTY,
          "%s=%d + %s=%d is more than the slice's %" G_GINT64_FORMAT " pixels: at most %" G_GINT64_FORMAT " are left",
          first_name, first, name, wanted, size, size - first);
  return wanted == 0 ? size - first : wanted;
}

Roi SliceSettings::region (int64_t size) const
{
  return {.x = roi_x,
          .y = roi_y,
          .width = extent ("roi-width", "roi-x", roi_x, roi_width, size),
          .height = extent ("roi-height", "roi-y", roi_y, roi_height, size)};
}

std::vector<Ray> SliceSettings::rays (const Format &in) const
{
  return make_rays (in.geometry->angles, axis_from (axis, *in.geometry, in.extent (Axis::column)),
                    radians (angle_offset), weights);
}

std::shared_ptr<const Format> SliceSettings::scan_of (const Format &in) const
{
  if (roi_x > 0 || roi_y > 0 || roi_width > 0 || roi_height > 0)
    return nullptr; // a region does not tell where it lies in the whole slice
  auto scan = std::make_shared<Format> (
      projections (in.element, in.dim (Axis::angle), in.dim (Axis::row), in.dim (Axis::column)));
  auto geometry = std::make_shared<Geometry> (*in.geometry);
  geometry->axis = axis_from (axis, *in.geometry, in.extent (Axis::column));
  for (auto &angle : geometry->angles)
    angle += radians (angle_offset);
  scan->geometry = std::move (geometry);
  return scan;
}

// Describes a range of directions without projections, if it is wider than a few steps.
static std::string missing_directions (const std::vector<double> &angles)
{
  const auto gap = Directions (angles, pi).widest_gap ();
  if (angles.size () < 3 || !gap.is_missing ())
    return {};
  const auto [least, most] = std::ranges::minmax (angles);
  const double range = degrees (most - least);
  const bool turns = std::abs (range - pi) < 0.1 || std::abs (range - 2 * pi) < 0.1;
  return text ("directions from %.4g to %.4g degrees are missing, %.3g of 180: slices are blurred along them%s",
               degrees (gap.begin), degrees (gap.begin + gap.width), degrees (gap.width),
               turns ? "; the angles end at half a turn or a whole turn in radians: give degrees" : "");
}

std::vector<std::string> SliceSettings::notes (const Format &in, const char *cure) const
{
  std::vector<std::string> list;
  if (const double middle = 0.5 * static_cast<double> (in.extent (Axis::column));
      axis == "auto" && in.geometry->axis.empty ())
    list.push_back (text ("the scan does not give its axis: column %g, the middle, is assumed; %s", middle, cure));
  if (auto missing = missing_directions (in.geometry->angles); !missing.empty ())
    list.push_back (std::move (missing));
  return list;
}

// Warns if the axis is off the middle and the scan exceeds half a turn: rays near the axis were then measured twice,
// rays that only the longer side reaches once. No weight per projection is right for both.
std::vector<std::string> SliceSettings::check_sides (const Format &in, std::span<const Ray> rays) const
{
  const auto columns = static_cast<double> (in.extent (Axis::column));
  double sum = 0;
  for (const auto &ray : rays)
    sum += ray.origin + 0.5;
  const double at = sum / static_cast<double> (rays.size ());
  const double off = std::abs (at - 0.5 * columns), shorter = 0.5 * columns - off;
  constexpr double small = 0.01, large = 0.05;                               // as shares of the columns
  if (in.object_radius > 0 && in.object_radius <= shorter + large * columns) // only if that border was near the object
    return {};
  if (shorter <= 0 || off < small * columns || Directions (in.geometry->angles, 2 * pi).share_seen_twice () < 0.03)
    return {};
  const auto what =
      text ("with the axis at column %.4g of %g, rays within %.4g columns of the axis were measured twice and count "
            "half each time, but rays further out also count half, although they were measured once",
            at, columns, shorter);
  if (weights == Weights::automatic && off > large * columns)
    fail (SINO_ERROR_BAD_FORMAT,
          "%s: put 'stitch-360' before the ramp filter, or give weights=uniform if the object ends within %.4g columns "
          "of the axis",
          what.c_str (), shorter);
  return {what +
          ": this is right if the object ends within these columns, otherwise put 'stitch-360' before the ramp filter"};
}

// Range of detector columns that see the corners of the region.
static std::pair<double, double> shadow (const Ray &ray, int64_t columns, const Roi &roi)
{
  const double middle = 0.5 * static_cast<double> (columns), axis = ray.origin + 0.5;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const auto x : {roi.x, roi.x + roi.width})
    for (const auto y : {roi.y, roi.y + roi.height}) {
      const double at =
          axis + (static_cast<double> (x) - middle) * ray.cos - (static_cast<double> (y) - middle) * ray.sin;
      least = std::min (least, at);
      most = std::max (most, at);
    }
  return {least, most};
}

std::vector<std::string> check_axis (std::span<const Ray> rays, int64_t columns, const Roi &roi)
{
  const auto end = static_cast<double> (columns);
  const auto seen = [&] (const Ray &ray) {
    const auto [least, most] = shadow (ray, columns, roi);
    return most > 0 && least < end;
  };
  const auto off = [&] (const Ray &ray) { return !(ray.origin + 0.5 >= 0 && ray.origin + 0.5 <= end); };
  if (std::ranges::none_of (rays, seen))
    fail (SINO_ERROR_BAD_PROPERTY,
          "no part of the slices is on the detector in any projection: the axis, at column %g, is too far from columns "
          "0 to %" G_GINT64_FORMAT,
          rays[0].origin + 0.5, columns);
  if (const auto found = std::ranges::find_if (rays, off); found != rays.end ())
    return {text (
        "the axis, at column %g in projection %td, is not on the detector, which has columns 0 to %" G_GINT64_FORMAT,
        found->origin + 0.5, found - rays.begin (), columns)};
  return {};
}

int64_t place_of_row (const Dim &dim, int row)
{
  if (row < 0)
    return dim.extent / 2;
  const auto at = (row - dim.first) / dim.step;
  if (at < 0 || at >= dim.extent || dim.number (at) != row)
    fail (SINO_ERROR_BAD_PROPERTY,
          "row=%d is not in the stream, which has rows %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
          " in steps of %" G_GINT64_FORMAT,
          row, dim.first, dim.number (dim.extent - 1), dim.step);
  return at;
}

Rows whole_pairs (const Rows &wanted, const Format &input)
{
  if (wanted.empty ())
    return wanted;
  return {wanted.begin / 2 * 2, std::min ((wanted.end + 1) / 2 * 2, input.rows ())};
}

int lanes_for (int64_t rows, int whole)
{
  int lanes = whole;
  while (lanes > 1 && lanes / 2 >= rows)
    lanes /= 2;
  return lanes;
}

Format slices_of (const Format &in, const Roi &roi, const char *node)
{
  const Dim &row = in.dim (Axis::row);
  Format out = slices (Element::f32, {Axis::z, row.extent, row.first, row.step}, {Axis::y, roi.height, roi.y},
                       {Axis::x, roi.width, roi.x});
  out.geometry = in.geometry;
  out.changed_by = in.changed_by;
  out.mark_changed (node);
  out.per_length = true;
  return out;
}

} // namespace sino::slice
