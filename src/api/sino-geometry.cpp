// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-geometry.h"
#include "base/angle.hpp"
#include "glue/held.hpp"
#include "stream/objects.hpp"
#include <cmath>

namespace {

const std::shared_ptr<const sino::Geometry> &unknown ()
{
  static const auto geometry = std::make_shared<const sino::Geometry> ();
  return geometry;
}

struct Contents {
  std::shared_ptr<const sino::Geometry> geometry = unknown (); // never null
  std::vector<double> degrees; // as they were given, so that they come back without rounding
};

} // namespace

using Object = sino::Held<Contents>;

GType sino_geometry_get_type (void)
{
  return Object::gtype ("SinoGeometry");
}

static SinoGeometry *make (sino::Geometry geometry, std::vector<double> degrees)
{
  auto *self = static_cast<SinoGeometry *> (g_object_new (SINO_TYPE_GEOMETRY, nullptr));
  Object::of (self) = {std::make_shared<const sino::Geometry> (std::move (geometry)), std::move (degrees)};
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
  const auto &old = *Object::of (self).geometry;
  g_return_val_if_fail (axis && (n_axis == 1 || n_axis == old.angles.size ()), nullptr);
  g_return_val_if_fail (all_finite (axis, n_axis), nullptr);
  auto geometry = old;
  geometry.axis.assign (axis, axis + n_axis);
  return make (std::move (geometry), Object::of (self).degrees);
}

SinoGeometry *sino_geometry_with_pixel_size (SinoGeometry *self, gdouble pixel_size)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  g_return_val_if_fail (std::isfinite (pixel_size) && pixel_size > 0, nullptr);
  auto geometry = *Object::of (self).geometry;
  geometry.pixel_size = pixel_size;
  return make (std::move (geometry), Object::of (self).degrees);
}

const gdouble *sino_geometry_get_angles (SinoGeometry *self, gsize *n_angles)
{
  g_return_val_if_fail (n_angles, nullptr);
  *n_angles = 0;
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  *n_angles = Object::of (self).degrees.size ();
  return Object::of (self).degrees.data ();
}

const gdouble *sino_geometry_get_axis (SinoGeometry *self, gsize *n_axis)
{
  g_return_val_if_fail (n_axis, nullptr);
  *n_axis = 0;
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), nullptr);
  *n_axis = Object::of (self).geometry->axis.size ();
  return Object::of (self).geometry->axis.data ();
}

gdouble sino_geometry_get_pixel_size (SinoGeometry *self)
{
  g_return_val_if_fail (SINO_IS_GEOMETRY (self), 0);
  return Object::of (self).geometry->pixel_size.value_or (0);
}

namespace sino {

SinoGeometry *make_object (std::shared_ptr<const Geometry> geometry)
{
  std::vector<double> degrees;
  for (const double angle : geometry->angles)
    degrees.push_back (sino::degrees (angle));
  auto *self = static_cast<SinoGeometry *> (g_object_new (SINO_TYPE_GEOMETRY, nullptr));
  Object::of (self) = {std::move (geometry), std::move (degrees)};
  return self;
}

const std::shared_ptr<const Geometry> &contents (SinoGeometry *self)
{
  return Object::of (self).geometry;
}

} // namespace sino
