// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-geometry.h"
#include "base/angle.hpp"
#include "geometry/file.hpp"
#include "geometry/vectors.hpp"
#include "glue/boundary.hpp"
#include "glue/held.hpp"
#include "stream/objects.hpp"
#include <cmath>

namespace {

const std::shared_ptr<const sino::Geometry> &unknown ()
{
  static const auto geometry = std::make_shared<const sino::Geometry> ();
  return geometry;
}

struct GeometryContents {
  std::shared_ptr<const sino::Geometry> geometry = unknown (); // never null
  std::vector<double> degrees; // angles as the caller gave them, to return them without rounding
};

} // namespace

using GeometryObject = sino::Held<GeometryContents>;

GType sino_geometry_get_type (void)
{
  return GeometryObject::gtype ("SinoGeometry");
}

static SinoGeometry *make (sino::Geometry geometry, std::vector<double> degrees)
{
  auto *self = static_cast<SinoGeometry *> (g_object_new (SINO_TYPE_GEOMETRY, nullptr));
  GeometryObject::of (self) = {std::make_shared<const sino::Geometry> (std::move (geometry)), std::move (degrees)};
  return self;
}

static bool all_finite (const gdouble *values, gsize n)
{
  return std::all_of (values, values + n, [] (double v) { return std::isfinite (v); });
}

SinoGeometry *sino_geometry_new (const gdouble *angles, gsize n_angles)
{
  g_return_val_if_fail (angles || n_angles == 0, nullptr);
  g_return_val_if_fail (all_finite (angles, n_angles), nullptr);
  sino::Geometry geometry;
  for (gsize i = 0; i < n_angles; i++)
    geometry.angles.push_back (sino::radians (angles[i]));
  return make (std::move (geometry), {angles, angles + n_angles});
}

SinoGeometry *sino_geometry_with_axis (SinoGeometry *self, const gdouble *axis, gsize n_axis)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  const auto &old = *GeometryObject::of (self).geometry;
  g_return_val_if_fail (old.views.empty (), nullptr);
  g_return_val_if_fail (axis && (n_axis == 1 || n_axis == old.angles.size ()), nullptr);
  g_return_val_if_fail (all_finite (axis, n_axis), nullptr);
  auto geometry = old;
  geometry.axis.assign (axis, axis + n_axis);
  return make (std::move (geometry), GeometryObject::of (self).degrees);
}

static SinoGeometry *with (SinoGeometry *self, std::optional<double> sino::Geometry::*number, double value)
{
  auto geometry = *GeometryObject::of (self).geometry;
  geometry.*number = value;
  return make (std::move (geometry), GeometryObject::of (self).degrees);
}

SinoGeometry *sino_geometry_with_pixel_size (SinoGeometry *self, gdouble pixel_size)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  g_return_val_if_fail (std::isfinite (pixel_size) && pixel_size > 0, nullptr);
  g_return_val_if_fail (GeometryObject::of (self).geometry->views.empty (), nullptr);
  return with (self, &sino::Geometry::pixel_size, pixel_size);
}

SinoGeometry *sino_geometry_with_energy (SinoGeometry *self, gdouble energy)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  g_return_val_if_fail (std::isfinite (energy) && energy > 0, nullptr);
  return with (self, &sino::Geometry::energy, energy);
}

SinoGeometry *sino_geometry_with_distance (SinoGeometry *self, gdouble distance)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  g_return_val_if_fail (std::isfinite (distance) && distance > 0, nullptr);
  return with (self, &sino::Geometry::distance, distance);
}

template <class Body> static void as_bad_property (const Body &body)
{
  try {
    body ();
  } catch (const sino::Error &bad) {
    sino::fail (SINO_ERROR_BAD_PROPERTY, "%s", bad.what ());
  }
}

SinoGeometry *sino_geometry_with_cone (SinoGeometry *self, gdouble source_origin, gdouble origin_detector,
                                       gdouble middle_row, GError **error)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  return sino::guarded (error, [&] {
    auto geometry = *GeometryObject::of (self).geometry;
    if (!(source_origin > 0 && source_origin <= 1e9) || !(origin_detector >= 0 && origin_detector <= 1e9))
      sino::fail (SINO_ERROR_BAD_PROPERTY,
                  "source-origin %g and origin-detector %g: distances must be at most 1e9, the first above 0, the "
                  "second at least 0",
                  source_origin, origin_detector);
    if (!(std::abs (middle_row) <= 1e9))
      sino::fail (SINO_ERROR_BAD_PROPERTY, "middle-row: %g is not a detector row", middle_row);
    if (geometry.angles.empty () || geometry.axis.empty ())
      sino::fail (SINO_ERROR_BAD_PROPERTY, "the angles or the axis are unknown, but a cone beam needs them");
    const double unit = geometry.pixel_size.value_or (1);
    geometry.views.clear ();
    for (size_t i = 0; i < geometry.angles.size (); i++)
      geometry.views.push_back (sino::views_of ({.source_origin = source_origin,
                                                 .origin_detector = origin_detector,
                                                 .pixel_width = unit,
                                                 .pixel_height = unit,
                                                 .column = geometry.axis[geometry.axis.size () == 1 ? 0 : i],
                                                 .row = middle_row},
                                                std::span (&geometry.angles[i], 1))[0]);
    as_bad_property ([&] { sino::check_views (geometry.views); });
    return make (std::move (geometry), GeometryObject::of (self).degrees);
  });
}

SinoGeometry *sino_geometry_with_matrices (SinoGeometry *self, const gdouble *matrices, gsize n_numbers, GError **error)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  g_return_val_if_fail (matrices || n_numbers == 0, nullptr);
  return sino::guarded (error, [&] {
    auto geometry = *GeometryObject::of (self).geometry;
    const auto n = geometry.angles.empty () ? n_numbers / 12 : geometry.angles.size ();
    if (n_numbers == 0 || n_numbers != 12 * n)
      sino::fail (SINO_ERROR_BAD_PROPERTY, "%zu numbers for %zu projections: 12 are needed for each", n_numbers, n);
    if (!all_finite (matrices, n_numbers))
      sino::fail (SINO_ERROR_BAD_PROPERTY, "a number of the matrices is not finite");
    as_bad_property ([&] {
      geometry.views = sino::views_of (sino::Twelve::matrices, {matrices, n_numbers},
                                       {.columns = 0, .rows = 0, .pixel = geometry.pixel_size.value_or (1)});
      sino::check_views (geometry.views);
    });
    geometry.pixel_size = sino::length (geometry.views[0].column);
    geometry.angles = sino::angles_of (geometry.views);
    geometry.axis.clear ();
    return sino::make_object (std::make_shared<const sino::Geometry> (std::move (geometry)));
  });
}

gdouble *sino_geometry_get_matrices (SinoGeometry *self, gsize *n_numbers)
{
  g_return_val_if_fail (n_numbers, nullptr);
  *n_numbers = 0;
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  const auto &views = GeometryObject::of (self).geometry->views;
  auto *numbers = g_new (gdouble, 12 * views.size ()); // NULL for none
  for (const auto &view : views)
    for (const auto &line : sino::matrix_of (view)) // check_views () has accepted these views
      for (const double value : line)
        numbers[(*n_numbers)++] = value;
  return numbers;
}

gboolean sino_geometry_is_parallel (SinoGeometry *self)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), TRUE);
  const auto &views = GeometryObject::of (self).geometry->views;
  return views.empty () || views[0].parallel;
}

const gdouble *sino_geometry_get_angles (SinoGeometry *self, gsize *n_angles)
{
  g_return_val_if_fail (n_angles, nullptr);
  *n_angles = 0;
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  *n_angles = GeometryObject::of (self).degrees.size ();
  return GeometryObject::of (self).degrees.data ();
}

const gdouble *sino_geometry_get_axis (SinoGeometry *self, gsize *n_axis)
{
  g_return_val_if_fail (n_axis, nullptr);
  *n_axis = 0;
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  *n_axis = GeometryObject::of (self).geometry->axis.size ();
  return GeometryObject::of (self).geometry->axis.data ();
}

gdouble sino_geometry_get_pixel_size (SinoGeometry *self)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), 0);
  return GeometryObject::of (self).geometry->pixel_size.value_or (0);
}

gdouble sino_geometry_get_energy (SinoGeometry *self)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), 0);
  return GeometryObject::of (self).geometry->energy.value_or (0);
}

gdouble sino_geometry_get_distance (SinoGeometry *self)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), 0);
  return GeometryObject::of (self).geometry->distance.value_or (0);
}

namespace sino {

SinoGeometry *make_object (std::shared_ptr<const Geometry> geometry)
{
  std::vector<double> degrees;
  for (const double angle : geometry->angles)
    degrees.push_back (sino::degrees (angle));
  auto *self = static_cast<SinoGeometry *> (g_object_new (SINO_TYPE_GEOMETRY, nullptr));
  GeometryObject::of (self) = {std::move (geometry), std::move (degrees)};
  return self;
}

const std::shared_ptr<const Geometry> &contents (SinoGeometry *self)
{
  return GeometryObject::of (self).geometry;
}

} // namespace sino
