/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-task.h"

G_BEGIN_DECLS

#define SINO_TYPE_APP_SINK (sino_app_sink_get_type ())

/**
 * SinoAppSink:
 *
 * The node `app-sink`: hands the blocks of a stream, as slices, to the program, in the order of their rows.
 *
 * The blocks are the program's, without a copy where the node before computes on the host. What waits and what the
 * program holds is bounded by `max-bytes`, which is part of the plan's memory: the run waits while the program holds
 * that much. With `whole` the stream comes as one block when it is complete.
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoAppSink, sino_app_sink, SINO, APP_SINK, SinoTask)

/**
 * SinoAppSink:max-bytes:
 *
 * Bytes of blocks that may wait for the program or be held by it; 0: any number. May be changed at any time.
 */

/**
 * SinoAppSink:max-buffers:
 *
 * Blocks that may wait for the program; 0: any number. May be changed at any time.
 */

/**
 * SinoAppSink:whole:
 *
 * Whether the whole stream comes as one block, at its end.
 */

/**
 * SinoAppSink::new-buffer:
 * @self: a sink
 *
 * Says that a block waits: in the main context that was the default of the thread which made the object.
 */

/**
 * sino_app_sink_new:
 *
 * Makes a sink, to be added to a graph.
 *
 * Returns: (transfer full): a sink
 */
SINO_PUBLIC
SinoAppSink *sino_app_sink_new (void);

/**
 * sino_app_sink_pull:
 * @self: a sink
 * @error: return location for an error
 *
 * Gives the next block, and waits for it, also while no run has begun.
 *
 * Fails with %SINO_ERROR_FAILED when the run has failed or was cancelled, which the message says, and with
 * %SINO_ERROR_MEMORY when the program has held all that `max-bytes` allows for ten seconds, so that nothing can come.
 *
 * Returns: (transfer full) (nullable): a block, or %NULL after the last, without @error set
 */
SINO_PUBLIC
SinoBuffer *sino_app_sink_pull (SinoAppSink *self, GError **error);

/**
 * sino_app_sink_try_pull:
 * @self: a sink
 * @timeout: microseconds to wait at most
 * @error: return location for an error
 *
 * Gives the next block if it comes in time.
 *
 * Fails as [method@Sino.AppSink.pull] does.
 *
 * Returns: (transfer full) (nullable): a block, or %NULL without @error set, when none came or after the last
 */
SINO_PUBLIC
SinoBuffer *sino_app_sink_try_pull (SinoAppSink *self, guint64 timeout, GError **error);

/**
 * sino_app_sink_is_end_of_stream:
 * @self: a sink
 *
 * Says whether all blocks of the run were pulled.
 *
 * Returns: whether no more come
 */
SINO_PUBLIC
gboolean sino_app_sink_is_end_of_stream (SinoAppSink *self);

/**
 * sino_app_sink_is_full:
 * @self: a sink
 *
 * Says whether the run waits for the program to pull a block or to release one.
 *
 * Returns: whether it waits
 */
SINO_PUBLIC
gboolean sino_app_sink_is_full (SinoAppSink *self);

/**
 * sino_app_sink_get_current_level_bytes:
 * @self: a sink
 *
 * Says how much waits for the program.
 *
 * Returns: bytes
 */
SINO_PUBLIC
gint64 sino_app_sink_get_current_level_bytes (SinoAppSink *self);

/**
 * sino_app_sink_get_current_level_buffers:
 * @self: a sink
 *
 * Says how much waits for the program.
 *
 * Returns: number of blocks
 */
SINO_PUBLIC
gint64 sino_app_sink_get_current_level_buffers (SinoAppSink *self);

/**
 * sino_app_sink_get_held_bytes:
 * @self: a sink
 *
 * Says how much of the blocks that were pulled the program still holds.
 *
 * Returns: bytes
 */
SINO_PUBLIC
gint64 sino_app_sink_get_held_bytes (SinoAppSink *self);

G_END_DECLS
