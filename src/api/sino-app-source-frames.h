/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-app-source.h"

G_BEGIN_DECLS

/* Frames that have numbers: they may be lost, and with `order` as `any` come in any order. */

/**
 * sino_app_source_push_frame:
 * @self: a source
 * @data: (array length=length) (element-type guint8): a frame
 * @length: number of its bytes
 * @number: its number in the scan, from 0, or -1 for the one after that before
 * @angle: its angle in degrees, which is taken where `own-angles` is set
 * @error: return location for an error
 *
 * Pushes a copy of a frame that has a number or an angle. Numbers have to rise, unless `order` is `any`; those that are
 * left out are frames that were lost.
 *
 * Fails as [method@Sino.AppSource.push] does, and with %SINO_ERROR_LOST_FRAME when numbers do not rise.
 *
 * Returns: whether the frame was taken
 */
SINO_PUBLIC
gboolean sino_app_source_push_frame (SinoAppSource *self, const guint8 *data, gsize length, gint64 number,
                                     gdouble angle, GError **error);

/**
 * sino_app_source_push_owned_frame:
 * @self: a source
 * @data: a frame, which nobody changes before it is released
 * @length: number of its bytes
 * @number: its number in the scan, from 0, or -1 for the one after that before
 * @angle: its angle in degrees, which is taken where `own-angles` is set
 * @release: (nullable): called with @owner when the frame is no longer used, from any thread, also when this fails
 * @owner: for @release
 * @error: return location for an error
 *
 * Pushes a frame that has a number or an angle, without a copy.
 *
 * Fails as [method@Sino.AppSource.push_frame] does.
 *
 * Returns: whether the frame was taken
 */
SINO_PUBLIC
gboolean sino_app_source_push_owned_frame (SinoAppSource *self, gconstpointer data, gsize length, gint64 number,
                                           gdouble angle, GDestroyNotify release, gpointer owner, GError **error);

/**
 * sino_app_source_push_object_frame: (rename-to sino_app_source_push_owned_frame)
 * @self: a source
 * @address: where the frame lies; nobody changes it before it is released
 * @length: number of its bytes
 * @number: its number in the scan, from 0, or -1 for the one after that before
 * @angle: its angle in degrees, which is taken where `own-angles` is set
 * @owner: keeps the memory; a reference is held until the frame is no longer used
 * @error: return location for an error
 *
 * Pushes a frame that has a number or an angle without a copy, for languages that cannot pass a function that releases
 * it.
 *
 * Fails as [method@Sino.AppSource.push_frame] does.
 *
 * Returns: whether the frame was taken
 */
SINO_PUBLIC
gboolean sino_app_source_push_object_frame (SinoAppSource *self, guint64 address, gsize length, gint64 number,
                                            gdouble angle, GObject *owner, GError **error);

/**
 * sino_app_source_get_missing:
 * @self: a source
 * @count: (out): number of the numbers
 *
 * Gives the numbers of the scan's frames that are lost: those that did not come before frames behind them, and those
 * that `leaky-type` dropped. Those that may still come are not among them. At most the first 65536.
 *
 * Returns: (transfer full) (array length=count) (nullable): the numbers, rising, to be freed with g_free (); %NULL if
 * there are none
 */
SINO_PUBLIC
gint64 *sino_app_source_get_missing (SinoAppSource *self, gsize *count);

/**
 * sino_app_source_get_frames_repeated:
 * @self: a source
 *
 * Gives the frames of this scan that came twice and were left out, which `order` as `any` allows.
 *
 * Returns: their number
 */
SINO_PUBLIC
gint64 sino_app_source_get_frames_repeated (SinoAppSource *self);

/**
 * sino_app_source_get_frames_late:
 * @self: a source
 *
 * Gives the frames of this scan that came when they were lost already, and were left out.
 *
 * Returns: their number
 */
SINO_PUBLIC
gint64 sino_app_source_get_frames_late (SinoAppSource *self);

G_END_DECLS
