/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-format.h"
#include "sino-task.h"

G_BEGIN_DECLS

#define SINO_TYPE_APP_ARRAY (sino_app_array_get_type ())

/**
 * SinoAppArray:
 *
 * A source that gives an array of the program, which is there before the run begins: projections, sinograms or slices.
 *
 * It is added to a graph by [method@Sino.Graph.add_task]; launch lines and graph files cannot name it. A run reads the
 * array in place, in any order and as often as it needs, so that nodes can look at the scan first. Frames that come
 * one by one are pushed to [class@Sino.AppSource].
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoAppArray, sino_app_array, SINO, APP_ARRAY, SinoTask)

/**
 * sino_app_array_new:
 *
 * Makes a source, to be added to a graph.
 *
 * Returns: (transfer full): a source
 */
SINO_PUBLIC
SinoAppArray *sino_app_array_new (void);

/**
 * sino_app_array_set:
 * @self: a source
 * @format: what the array holds: projections, sinograms or slices, with their geometry
 * @values: the values of the whole stream, dense in the order of the format's axes
 * @error: return location for an error
 *
 * Sets the array, and removes the darks and flats of the array before. A reference to @values is held as long as a run
 * or the source needs them; nobody changes them meanwhile. Values that are not aligned to their size are copied.
 *
 * Fails with %SINO_ERROR_BAD_FORMAT when there are more or fewer bytes than @format says, when the geometry has angles,
 * views or positions of the axis for another number of projections, and for other streams.
 *
 * Returns: whether the array was taken
 */
SINO_PUBLIC
gboolean sino_app_array_set (SinoAppArray *self, SinoFormat *format, GBytes *values, GError **error);

/**
 * sino_app_array_add_darks:
 * @self: a source whose array has angles
 * @frames: frames without beam, dense, with the rows, columns and type of the array
 * @before: number of the projection that came after them, from 0
 * @error: return location for an error
 *
 * Adds darks to the scan. A reference to @frames is held, as for the array.
 *
 * Fails with %SINO_ERROR_BAD_FORMAT when the bytes are no number of frames or the array has no angles, and with
 * %SINO_ERROR_BAD_PROPERTY when there is no array yet.
 *
 * Returns: whether they were taken
 */
SINO_PUBLIC
gboolean sino_app_array_add_darks (SinoAppArray *self, GBytes *frames, gint64 before, GError **error);

/**
 * sino_app_array_add_flats:
 * @self: a source whose array has angles
 * @frames: frames without sample, dense, with the rows, columns and type of the array
 * @before: number of the projection that came after them, from 0
 * @error: return location for an error
 *
 * Adds flats to the scan. A reference to @frames is held, as for the array.
 *
 * Fails as [method@Sino.AppArray.add_darks] does.
 *
 * Returns: whether they were taken
 */
SINO_PUBLIC
gboolean sino_app_array_add_flats (SinoAppArray *self, GBytes *frames, gint64 before, GError **error);

G_END_DECLS
