/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-geometry.h"
#include "sino-task.h"

G_BEGIN_DECLS

#define SINO_TYPE_APP_SOURCE (sino_app_source_get_type ())

/**
 * SinoAppSource:
 *
 * The node `app-source`: a scan whose frames the program pushes, from any thread, as a camera delivers them.
 *
 * Its properties are those that `sinograph inspect app-source` lists. `rows`, `columns` and `element` say what a frame
 * is, `frames` how many there are. Frames may be pushed before the run begins; darks and flats have to be. What waits
 * is bounded by `max-bytes` and `max-buffers`, also while no run takes it.
 *
 * Where the number of projections is known, they flow through the graph as they come. Where it is not, or `missing`,
 * `short-scan` or `own-angles` leave it open which projections there are, the run takes all of them first, up to
 * `max-bytes` in memory and the rest in a scratch file, and then goes on like one that reads a file with exactly those
 * projections: it gives the same bytes.
 *
 * A run takes one scan. When it has ended, well or not, [method@Sino.AppSource.begin] starts the next one.
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoAppSource, sino_app_source, SINO, APP_SOURCE, SinoTask)

/**
 * SinoAppSource:element:
 *
 * Type of the values: `u8`, `u16`, `f16` or `f32`.
 */

/**
 * SinoAppSource:rows:
 *
 * Rows of a frame. To be set before frames are pushed.
 */

/**
 * SinoAppSource:columns:
 *
 * Columns of a frame. To be set before frames are pushed.
 */

/**
 * SinoAppSource:frames:
 *
 * Projections of the scan; 0: as many as the geometry has angles, or else as many as come.
 */

/**
 * SinoAppSource:angle-start:
 *
 * Degrees of the first projection, where no geometry was given.
 */

/**
 * SinoAppSource:angle-step:
 *
 * Degrees from one projection to the next, where no geometry was given; 0: 180 over all frames.
 */

/**
 * SinoAppSource:own-angles:
 *
 * Whether each frame comes with its angle ([method@Sino.AppSource.push_frame]).
 */

/**
 * SinoAppSource:order:
 *
 * Order in which frames are pushed: `rising` numbers, or `any`. In any order, frames wait for those before them, and
 * frames that come twice are counted and left out.
 */

/**
 * SinoAppSource:window:
 *
 * With `order` as `any`: a frame is lost when one has come whose number is larger by more than this.
 */

/**
 * SinoAppSource:missing:
 *
 * What becomes of a scan in which frames are lost: it fails, goes on without these projections, or with what is
 * interpolated between those beside them.
 */

/**
 * SinoAppSource:short-scan:
 *
 * What becomes of a scan that ends early: it fails, or is finished with the projections that came.
 */

/**
 * SinoAppSource:max-bytes:
 *
 * Bytes of frames that may wait for the run; 0: any number. May be changed at any time.
 */

/**
 * SinoAppSource:max-buffers:
 *
 * Pushes that may wait for the run; 0: any number. May be changed at any time.
 */

/**
 * SinoAppSource:block:
 *
 * Whether a push waits for room; else it fails where there is none. May be changed at any time.
 */

/**
 * SinoAppSource:leaky-type:
 *
 * What is dropped where there is no room: nothing, new frames, or the oldest. May be changed at any time.
 */

/**
 * SinoAppSource::need-data:
 * @self: a source
 *
 * Says that the run waits for frames: in the main context that was the default of the thread which made the object.
 */

/**
 * SinoAppSource::enough-data:
 * @self: a source
 * @bytes: how many wait
 *
 * Says that there is no room for a frame that was pushed, in the same context as [signal@Sino.AppSource::need-data].
 */

/**
 * sino_app_source_new:
 *
 * Makes a source, to be added to a graph.
 *
 * Returns: (transfer full): a source
 */
SINO_PUBLIC
SinoAppSource *sino_app_source_new (void);

/**
 * sino_app_source_set_geometry:
 * @self: a source
 * @geometry: (nullable): the geometry of the scan, or %NULL for that of the properties
 *
 * Says where the rays run, with an angle for each projection. The run that begins next takes it.
 */
SINO_PUBLIC
void sino_app_source_set_geometry (SinoAppSource *self, SinoGeometry *geometry);

/**
 * sino_app_source_push:
 * @self: a source
 * @data: (array length=length) (element-type guint8): frames, dense, one after the other
 * @length: number of bytes, those of one frame or several
 * @error: return location for an error
 *
 * Pushes a copy of frames. Where there is no room it waits, unless `block` is false or `leaky-type` drops some.
 *
 * Fails with %SINO_ERROR_BAD_FORMAT when the bytes are no number of frames, %SINO_ERROR_BAD_PROPERTY when rows or
 * columns are not set, %SINO_ERROR_MEMORY when there is no room and `block` is false, and %SINO_ERROR_FAILED when the
 * run has ended or failed, which the message says, after the end of the stream, and for more frames than the scan has.
 *
 * Returns: whether the frames were taken; %TRUE also where `leaky-type` dropped some
 */
SINO_PUBLIC
gboolean sino_app_source_push (SinoAppSource *self, const guint8 *data, gsize length, GError **error);

/**
 * sino_app_source_try_push:
 * @self: a source
 * @data: (array length=length) (element-type guint8): frames, dense, one after the other
 * @length: number of bytes, those of one frame or several
 * @error: return location for an error
 *
 * Pushes a copy of frames if there is room for them, without waiting, whatever `block` says.
 *
 * Fails as [method@Sino.AppSource.push] does, but for a lack of room.
 *
 * Returns: whether the frames were taken; %FALSE without @error set when there is no room
 */
SINO_PUBLIC
gboolean sino_app_source_try_push (SinoAppSource *self, const guint8 *data, gsize length, GError **error);

/**
 * sino_app_source_push_owned:
 * @self: a source
 * @data: frames, dense, one after the other, which nobody changes before they are released
 * @length: number of bytes, those of one frame or several
 * @release: (nullable): called with @owner when the frames are no longer used, from any thread, also when this fails
 * @owner: for @release
 * @error: return location for an error
 *
 * Pushes frames without a copy.
 *
 * Fails as [method@Sino.AppSource.push] does.
 *
 * Returns: whether the frames were taken
 */
SINO_PUBLIC
gboolean sino_app_source_push_owned (SinoAppSource *self, gconstpointer data, gsize length, GDestroyNotify release,
                                     gpointer owner, GError **error);

/**
 * sino_app_source_push_object: (rename-to sino_app_source_push_owned)
 * @self: a source
 * @address: where the frames lie, dense, one after the other; nobody changes them before they are released
 * @length: number of bytes, those of one frame or several
 * @owner: keeps the memory; a reference is held until the frames are no longer used
 * @error: return location for an error
 *
 * Pushes frames without a copy, for languages that cannot pass a function that releases them.
 *
 * Fails as [method@Sino.AppSource.push] does.
 *
 * Returns: whether the frames were taken
 */
SINO_PUBLIC
gboolean sino_app_source_push_object (SinoAppSource *self, guint64 address, gsize length, GObject *owner,
                                      GError **error);

/**
 * sino_app_source_push_darks:
 * @self: a source
 * @data: (array length=length) (element-type guint8): frames without beam, as projections are
 * @length: number of bytes, those of one frame or several
 * @error: return location for an error
 *
 * Adds darks to the scan, before its run begins. They stay for the scans after it.
 *
 * Fails with %SINO_ERROR_BAD_FORMAT when the bytes are no number of frames, and with %SINO_ERROR_BAD_PROPERTY when rows
 * or columns are not set.
 *
 * Returns: whether they were taken
 */
SINO_PUBLIC
gboolean sino_app_source_push_darks (SinoAppSource *self, const guint8 *data, gsize length, GError **error);

/**
 * sino_app_source_push_flats:
 * @self: a source
 * @data: (array length=length) (element-type guint8): frames without sample, as projections are
 * @length: number of bytes, those of one frame or several
 * @error: return location for an error
 *
 * Adds flats to the scan, before its run begins, as taken at the projection that is pushed next. They stay for the
 * scans after it.
 *
 * Fails as [method@Sino.AppSource.push_darks] does.
 *
 * Returns: whether they were taken
 */
SINO_PUBLIC
gboolean sino_app_source_push_flats (SinoAppSource *self, const guint8 *data, gsize length, GError **error);

/**
 * sino_app_source_clear_darks_and_flats:
 * @self: a source
 *
 * Drops the darks and flats.
 */
SINO_PUBLIC
void sino_app_source_clear_darks_and_flats (SinoAppSource *self);

/**
 * sino_app_source_end_of_stream:
 * @self: a source
 *
 * Says that no more frames come. A scan whose number of frames is known needs this only when it ends early.
 */
SINO_PUBLIC
void sino_app_source_end_of_stream (SinoAppSource *self);

/**
 * sino_app_source_begin:
 * @self: a source
 * @error: return location for an error
 *
 * Begins a new scan: drops the frames that wait, and counts from 0 again. Darks and flats stay.
 *
 * Fails with %SINO_ERROR_FAILED while a run takes the frames of a scan.
 *
 * Returns: whether a new scan began
 */
SINO_PUBLIC
gboolean sino_app_source_begin (SinoAppSource *self, GError **error);

/**
 * sino_app_source_get_current_level_bytes:
 * @self: a source
 *
 * Says how much waits for the run.
 *
 * Returns: bytes
 */
SINO_PUBLIC
gint64 sino_app_source_get_current_level_bytes (SinoAppSource *self);

/**
 * sino_app_source_get_current_level_buffers:
 * @self: a source
 *
 * Says how much waits for the run.
 *
 * Returns: number of pushes
 */
SINO_PUBLIC
gint64 sino_app_source_get_current_level_buffers (SinoAppSource *self);

/**
 * sino_app_source_get_frames_pushed:
 * @self: a source
 *
 * Says how many frames of this scan were pushed, dropped ones included.
 *
 * Returns: number of frames
 */
SINO_PUBLIC
gint64 sino_app_source_get_frames_pushed (SinoAppSource *self);

/**
 * sino_app_source_get_frames_dropped:
 * @self: a source
 *
 * Says how many frames of this scan were dropped as there was no room.
 *
 * Returns: number of frames
 */
SINO_PUBLIC
gint64 sino_app_source_get_frames_dropped (SinoAppSource *self);

G_END_DECLS
