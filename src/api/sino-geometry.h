/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-error.h"

G_BEGIN_DECLS

#define SINO_TYPE_GEOMETRY (sino_geometry_get_type ())

/**
 * SinoGeometry:
 *
 * Where the rays of a scan run: projection angles, rotation axis and pixel size. It never changes once made; the
 * `with_` methods give changed copies.
 *
 * Detector column u spans [u, u + 1): the axis of a centred detector is its width / 2. An n x n slice is centred on the
 * axis: pixel (column i, row j) sits at x = i + 1/2 - n/2, y = j + 1/2 - n/2, and the ray through it at angle t meets
 * the detector at axis + x cos(t) - y sin(t).
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoGeometry, sino_geometry, SINO, GEOMETRY, GObject)

/**
 * sino_geometry_new:
 * @angles: (array length=n_angles) (nullable): projection angles in degrees, one per projection
 * @n_angles: number of angles
 *
 * Makes the geometry of a parallel-beam scan whose axis and pixel size are unknown yet.
 *
 * Returns: (transfer full): a geometry
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_new (const gdouble *angles, gsize n_angles);

/**
 * sino_geometry_with_axis:
 * @self: a geometry
 * @axis: (array length=n_axis): the rotation axis in detector columns: one number, or one per projection
 * @n_axis: 1, or the number of projections
 *
 * Gives this geometry with another rotation axis.
 *
 * Returns: (transfer full): a geometry
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_with_axis (SinoGeometry *self, const gdouble *axis, gsize n_axis);

/**
 * sino_geometry_with_pixel_size:
 * @self: a geometry
 * @pixel_size: distance of neighbouring detector columns (and rows), in the unit of length of the scan; above 0
 *
 * Gives this geometry with another pixel size. Attenuation is per this unit of length then, else per pixel.
 *
 * Returns: (transfer full): a geometry
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_with_pixel_size (SinoGeometry *self, gdouble pixel_size);

/**
 * sino_geometry_get_angles:
 * @self: a geometry
 * @n_angles: (out): number of angles, 0 while they are unknown
 *
 * Gives the angles of the projections.
 *
 * Returns: (array length=n_angles) (transfer none): degrees, one per projection
 */
SINO_PUBLIC
const gdouble *sino_geometry_get_angles (SinoGeometry *self, gsize *n_angles);

/**
 * sino_geometry_get_axis:
 * @self: a geometry
 * @n_axis: (out): 0 while the axis is unknown, 1, or the number of projections
 *
 * Gives the rotation axis.
 *
 * Returns: (array length=n_axis) (transfer none): detector columns
 */
SINO_PUBLIC
const gdouble *sino_geometry_get_axis (SinoGeometry *self, gsize *n_axis);

/**
 * sino_geometry_get_pixel_size:
 * @self: a geometry
 *
 * Gives the distance of neighbouring detector columns (and rows).
 *
 * Returns: in the unit of length of the scan, or 0 where it is unknown
 */
SINO_PUBLIC
gdouble sino_geometry_get_pixel_size (SinoGeometry *self);

G_END_DECLS
