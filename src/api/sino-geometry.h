/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-error.h"

G_BEGIN_DECLS

#define SINO_TYPE_GEOMETRY (sino_geometry_get_type ())

/**
 * SinoGeometry:
 *
 * Where the rays of a scan run: projection angles, rotation axis and pixel size, and in any other geometry than a
 * parallel beam at right angles to axis and detector a matrix for each projection. It never changes once made; the
 * `with_` methods give changed copies.
 *
 * Detector column u spans [u, u + 1): the axis of a centred detector is its width / 2. An n x n slice is centred on the
 * axis: pixel (column i, row j) sits at x = i + 1/2 - n/2, y = j + 1/2 - n/2, and the ray through it at angle t meets
 * the detector at axis + x cos(t) - y sin(t).
 *
 * A matrix of 3 x 4 numbers, line by line, says where a point of the object is seen: (column, row, 1) w = matrix (x, y,
 * z, 1), with x and y as above, z along the axis of rotation from row to row, and lengths in the unit of the pixel size
 * (columns, where that is unknown). w is the depth of the point as a share of that of the detector, and 1 in a parallel
 * beam.
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
 * @self: a geometry without matrices
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
 * @self: a geometry without matrices
 * @pixel_size: distance of neighbouring detector columns (and rows), in the unit of length of the scan; above 0
 *
 * Gives this geometry with another pixel size. Attenuation is per this unit of length then, else per pixel.
 *
 * Returns: (transfer full): a geometry
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_with_pixel_size (SinoGeometry *self, gdouble pixel_size);

/**
 * sino_geometry_with_energy:
 * @self: a geometry
 * @energy: energy of the X-rays in keV, above 0
 *
 * Gives this geometry with another energy, which phase retrieval takes where it is given none.
 *
 * Returns: (transfer full): a geometry
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_with_energy (SinoGeometry *self, gdouble energy);

/**
 * sino_geometry_with_distance:
 * @self: a geometry
 * @distance: distance of sample and detector in m, above 0
 *
 * Gives this geometry with another distance, which phase retrieval takes where it is given none.
 *
 * Returns: (transfer full): a geometry
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_with_distance (SinoGeometry *self, gdouble distance);

/**
 * sino_geometry_with_cone:
 * @self: a geometry with angles and axis, and a pixel size unless lengths are in columns
 * @source_origin: distance from the source to the axis of rotation, above 0
 * @origin_detector: distance from the axis to the detector, at least 0
 * @middle_row: the row where the ray through the axis that is at right angles to it meets the detector
 * @error: (nullable): place for an error
 *
 * Gives the cone beam (of one row: the fan beam) of a circular scan with this one's angles and axis, which is the
 * column where the middle ray meets the detector. Angles, axis and pixel size are settled from then on.
 *
 * Errors: %SINO_ERROR_BAD_PROPERTY for a distance out of range, and where angles or axis are unknown.
 *
 * Returns: (transfer full): a geometry, or %NULL on error
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_with_cone (SinoGeometry *self, gdouble source_origin, gdouble origin_detector,
                                       gdouble middle_row, GError **error);

/**
 * sino_geometry_with_matrices:
 * @self: a geometry
 * @matrices: (array length=n_numbers): a matrix for each projection, of any scale, line by line
 * @n_numbers: 12 times the number of projections
 * @error: (nullable): place for an error
 *
 * Gives the geometry of these matrices, with angles from them and without an axis. The detector of a divergent beam is
 * put so far from the source that its columns are a pixel size apart.
 *
 * Errors: %SINO_ERROR_BAD_PROPERTY when there are not 12 numbers for each of the projections, or a matrix projects
 * nothing.
 *
 * Returns: (transfer full): a geometry, or %NULL on error
 */
SINO_PUBLIC
SinoGeometry *sino_geometry_with_matrices (SinoGeometry *self, const gdouble *matrices, gsize n_numbers,
                                           GError **error);

/**
 * sino_geometry_get_matrices:
 * @self: a geometry
 * @n_numbers: (out): 12 times the number of projections; 0 for a parallel beam at right angles to axis and detector,
 *   which angles and axis describe
 *
 * Gives the matrices of the projections.
 *
 * Returns: (array length=n_numbers) (transfer full) (nullable): a matrix for each, line by line
 */
SINO_PUBLIC
gdouble *sino_geometry_get_matrices (SinoGeometry *self, gsize *n_numbers);

/**
 * sino_geometry_is_parallel:
 * @self: a geometry
 *
 * Says whether the rays of a projection are parallel to each other.
 *
 * Returns: %FALSE for a cone or a fan
 */
SINO_PUBLIC
gboolean sino_geometry_is_parallel (SinoGeometry *self);

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

/**
 * sino_geometry_get_energy:
 * @self: a geometry
 *
 * Gets the energy of the X-rays in keV.
 *
 * Returns: the energy, or 0 while it is unknown
 */
SINO_PUBLIC
gdouble sino_geometry_get_energy (SinoGeometry *self);

/**
 * sino_geometry_get_distance:
 * @self: a geometry
 *
 * Gets the distance of sample and detector in m.
 *
 * Returns: the distance, or 0 while it is unknown
 */
SINO_PUBLIC
gdouble sino_geometry_get_distance (SinoGeometry *self);

G_END_DECLS
