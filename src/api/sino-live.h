/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-task.h"
#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * sino_live_add_plane:
 * @task: a node that shows planes, such as `live`
 * @plane: the plane, as in the property `planes`: "z=100", "x=0", "x=3,y=0,z=40,angle=30,tilt=20"
 * @error: return location for an error
 *
 * Adds a plane to those that the node shows, at any time. The planes of the property `planes` have the numbers from 0.
 *
 * Fails with %SINO_ERROR_BAD_PROPERTY when @plane is no plane, or the node has no room for another, and with
 * %SINO_ERROR_BAD_GRAPH when the node shows no planes.
 *
 * Returns: the number of the plane, or -1 with @error set
 */
SINO_PUBLIC
gint sino_live_add_plane (SinoTask *task, const gchar *plane, GError **error);

/**
 * sino_live_move_plane:
 * @task: a node that shows planes
 * @number: a plane
 * @plane: where it shall be, as for [func@Sino.live_add_plane]
 * @error: return location for an error
 *
 * Moves a plane, at any time, and returns at once. If a run is under way, its picture is made anew from all projections
 * that have come, between those that come. When several wishes come meanwhile, the newest one wins.
 * After the last projection of a run, a wish is for the next one.
 *
 * Fails as [func@Sino.live_add_plane] does, and with %SINO_ERROR_BAD_PROPERTY when there is no such plane.
 *
 * Returns: whether it went well
 */
SINO_PUBLIC
gboolean sino_live_move_plane (SinoTask *task, gint number, const gchar *plane, GError **error);

/**
 * sino_live_remove_plane:
 * @task: a node that shows planes
 * @number: a plane
 * @error: return location for an error
 *
 * Removes a plane, at any time.
 *
 * Fails as [func@Sino.live_move_plane] does.
 *
 * Returns: whether it went well
 */
SINO_PUBLIC
gboolean sino_live_remove_plane (SinoTask *task, gint number, GError **error);

/**
 * sino_live_list_planes:
 * @task: a node that shows planes
 * @error: return location for an error
 *
 * Gives the planes that are wished, as a list of type `a(is)`: number and plane.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when the node shows no planes, and with %SINO_ERROR_BAD_PROPERTY when its property
 * `planes` is wrong.
 *
 * Returns: (transfer full): the planes, or %NULL with @error set
 */
SINO_PUBLIC
GVariant *sino_live_list_planes (SinoTask *task, GError **error);

/**
 * sino_live_set_axis:
 * @task: a node that shows planes
 * @column: the rotation axis in detector columns, or NaN: as the graph and the scan give it
 * @error: return location for an error
 *
 * Moves the rotation axis, at any time, and returns at once; all pictures are made anew. Where the scan gives an axis
 * for each projection, @column is the mean of them.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when the node shows no planes, and with %SINO_ERROR_BAD_PROPERTY when @column is not
 * finite or far away.
 *
 * Returns: whether it went well
 */
SINO_PUBLIC
gboolean sino_live_set_axis (SinoTask *task, gdouble column, GError **error);

/**
 * sino_live_get_found_axis:
 * @task: a node that shows planes
 * @column: (out) (optional): the rotation axis in detector columns
 * @deviation: (out) (optional): its standard deviation in columns
 * @projections: (out) (optional): of how many projections it was found
 * @settled: (out) (optional): whether the search before had nearly the same result
 * @error: return location for an error
 *
 * Gives the rotation axis that the node has found while projections come (`find-axis=on` of `live`).
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when the node shows no planes.
 *
 * Returns: whether an axis was found; %FALSE without @error set if not, or not yet
 */
SINO_PUBLIC
gboolean sino_live_get_found_axis (SinoTask *task, gdouble *column, gdouble *deviation, gint64 *projections,
                                   gboolean *settled, GError **error);

/**
 * sino_live_pull:
 * @task: a node that shows planes
 * @number: a plane
 * @newer_than: version of the picture that the program has, or 0
 * @timeout: microseconds to wait at most; -1: any time
 * @version: (out) (optional): the version of the picture, which rises with each change
 * @projections: (out) (optional): how many projections it holds
 * @plane: (out) (optional) (transfer full): the plane, as it was given
 * @cancellable: (nullable): ends the wait when it is cancelled, from any thread
 * @error: return location for an error
 *
 * Gives the newest picture of a plane, and waits for it. A picture holds all projections that had come, or, with
 * `mode=ring`, the newest half turn; it is never half made. The values are those of the volume that
 * `reconstruct method=direct` makes of these projections and of zeros for the others. The last pictures can be pulled
 * until the next run begins.
 *
 * Fails with %SINO_ERROR_FAILED when the run has failed or was cancelled, with %SINO_ERROR_BAD_PROPERTY when there is
 * no such plane, and with %SINO_ERROR_BAD_GRAPH when the node shows no planes.
 *
 * Returns: (transfer full) (nullable): a block with one slice, or %NULL without @error set, when none came in time,
 *   when @cancellable was cancelled, or when the run has ended and the program has the last one
 */
SINO_PUBLIC
SinoBuffer *sino_live_pull (SinoTask *task, gint number, gint64 newer_than, gint64 timeout, gint64 *version,
                            gint64 *projections, gchar **plane, GCancellable *cancellable, GError **error);

G_END_DECLS
