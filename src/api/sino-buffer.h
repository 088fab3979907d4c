/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-format.h"

G_BEGIN_DECLS

#define SINO_TYPE_BUFFER (sino_buffer_get_type ())

/**
 * SinoBuffer:
 *
 * A block of a stream: some of its rows (slices) and angles, dense in memory in the order of the format's axes.
 * Columns, and y and x of slices, are never cut.
 *
 * The runtime makes the blocks that it hands to [vfunc@Sino.Task.process]. Those of the inputs are shared with other
 * tasks and can only be read. A block that a task keeps after `process` returned keeps its memory, in place of which
 * the run makes other; that memory is the task's own and is not part of the run's memory limit. Blocks may be read from
 * any thread.
 *
 * An object made without a format is a single zero that can only be read; blocks are made by [ctor@Sino.Buffer.new].
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoBuffer, sino_buffer, SINO, BUFFER, GObject)

/**
 * sino_buffer_new:
 * @format: a format
 * @error: return location for an error
 *
 * Makes a writable block that holds the whole stream, filled with zeros.
 *
 * Fails with %SINO_ERROR_MEMORY when there is not enough memory.
 *
 * Returns: (transfer full): a block
 */
SINO_PUBLIC
SinoBuffer *sino_buffer_new (SinoFormat *format, GError **error);

/**
 * sino_buffer_get_format:
 * @self: a block
 *
 * Gives the format of the stream that this is a block of; its extents are those of the whole stream.
 *
 * Returns: (transfer none): the format
 */
SINO_PUBLIC
SinoFormat *sino_buffer_get_format (SinoBuffer *self);

/**
 * sino_buffer_get_element:
 * @self: a block
 *
 * Gives the type of the values.
 *
 * Returns: the type
 */
SINO_PUBLIC
SinoElement sino_buffer_get_element (SinoBuffer *self);

/**
 * sino_buffer_get_shape:
 * @self: a block
 * @n_axes: (out): number of axes
 *
 * Gives the extents of this block, in the order of the format's axes.
 *
 * Returns: (array length=n_axes) (transfer full): the extents
 */
SINO_PUBLIC
gint64 *sino_buffer_get_shape (SinoBuffer *self, gsize *n_axes);

/**
 * sino_buffer_get_first_row:
 * @self: a block
 *
 * Gives the first row (of slices: z) that the block holds.
 *
 * Returns: an index of the stream's axis
 */
SINO_PUBLIC
gint64 sino_buffer_get_first_row (SinoBuffer *self);

/**
 * sino_buffer_get_first_angle:
 * @self: a block
 *
 * Gives the first angle that the block holds; the others follow without a gap.
 *
 * Returns: an index of the stream's axis, 0 when it has no angles
 */
SINO_PUBLIC
gint64 sino_buffer_get_first_angle (SinoBuffer *self);

/**
 * sino_buffer_get_rows:
 * @self: a block
 * @n_rows: (out): number of rows
 *
 * Gives the rows (of slices: z) that the block holds, in their order in memory. They rise, with a gap where a block
 * holds two mirrored intervals.
 *
 * Returns: (array length=n_rows) (transfer full): indices of the stream's axis
 */
SINO_PUBLIC
gint64 *sino_buffer_get_rows (SinoBuffer *self, gsize *n_rows);

/**
 * sino_buffer_is_writable:
 * @self: a block
 *
 * Says whether values may be written: true for what [vfunc@Sino.Task.process] is to fill, false for its inputs.
 *
 * Returns: whether the block may be changed
 */
SINO_PUBLIC
gboolean sino_buffer_is_writable (SinoBuffer *self);

/**
 * sino_buffer_get_data:
 * @self: a block
 * @length: (out): number of bytes
 *
 * Gives the values, dense in the order of the format's axes.
 *
 * The memory is valid as long as the block. That of a block that was pushed without a copy
 * ([method@Sino.AppSource.push_owned]) is valid until `process` returns; a copy is in its place then.
 *
 * Returns: (array length=length) (element-type guint8) (transfer none): the bytes
 */
SINO_PUBLIC
const guint8 *sino_buffer_get_data (SinoBuffer *self, gsize *length);

/**
 * sino_buffer_dup_data: (rename-to sino_buffer_get_data)
 * @self: a block
 * @length: (out): number of bytes
 * @error: return location for an error
 *
 * Gives a copy of the values, dense in the order of the format's axes. It may be called at any time and from any
 * thread.
 *
 * In other languages than C this is `get_data`. In Python:
 * `numpy.frombuffer (block.get_data (), numpy.float32).reshape (block.get_shape ())`.
 *
 * Fails with %SINO_ERROR_MEMORY when there is no memory for the copy.
 *
 * Returns: (array length=length) (element-type guint8) (transfer full): the bytes
 */
SINO_PUBLIC
guint8 *sino_buffer_dup_data (SinoBuffer *self, gsize *length, GError **error);

/**
 * sino_buffer_set_data:
 * @self: a block
 * @data: (array length=length) (element-type guint8): the bytes
 * @length: number of bytes, those of the whole block
 * @error: return location for an error
 *
 * Writes all values, dense in the order of the format's axes. In Python: `block.set_data (array.tobytes ())`.
 *
 * Fails with %SINO_ERROR_FAILED when the block can only be read or has another size.
 *
 * Returns: whether the values were written
 */
SINO_PUBLIC
gboolean sino_buffer_set_data (SinoBuffer *self, const guint8 *data, gsize length, GError **error);

/**
 * sino_buffer_get_address:
 * @self: a block
 *
 * Gives the address of the values, to read them in place, as [method@Sino.Buffer.get_data] does in C.
 *
 * Returns: the address, valid as long as that of [method@Sino.Buffer.get_data]
 */
SINO_PUBLIC
guint64 sino_buffer_get_address (SinoBuffer *self);

/**
 * sino_buffer_get_pointer:
 * @self: a block
 *
 * Gives the address of the values of a writable block, to write them in place.
 *
 * In Python this is an integer; NumPy writes there without a copy through
 * `numpy.ctypeslib.as_array ((ctypes.c_float * n).from_address (block.get_pointer ()))`. The address is valid until
 * `process` returns: no array that uses it may be kept.
 *
 * Returns: (transfer none) (nullable): the address, or %NULL when the block can only be read
 */
SINO_PUBLIC
gpointer sino_buffer_get_pointer (SinoBuffer *self);

G_END_DECLS
