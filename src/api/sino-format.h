/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-geometry.h"

G_BEGIN_DECLS

/**
 * SinoElement:
 * @SINO_ELEMENT_U8: unsigned integers of 8 bits
 * @SINO_ELEMENT_U16: unsigned integers of 16 bits
 * @SINO_ELEMENT_F16: IEEE 754 half precision
 * @SINO_ELEMENT_F32: IEEE 754 single precision
 *
 * The type of the values of a stream, in the byte order of the machine.
 */
typedef enum {
  SINO_ELEMENT_U8,
  SINO_ELEMENT_U16,
  SINO_ELEMENT_F16,
  SINO_ELEMENT_F32,
} SinoElement;

/**
 * SinoKind:
 * @SINO_KIND_PROJECTIONS: detector images; axes (angle, row, column)
 * @SINO_KIND_SINOGRAMS: detector rows over all angles; axes (row, angle, column)
 * @SINO_KIND_SLICES: reconstructed images; axes (z, y, x)
 * @SINO_KIND_OTHER: anything else
 *
 * What the axes of a stream make it.
 */
typedef enum {
  SINO_KIND_PROJECTIONS,
  SINO_KIND_SINOGRAMS,
  SINO_KIND_SLICES,
  SINO_KIND_OTHER,
} SinoKind;

#define SINO_TYPE_FORMAT (sino_format_get_type ())

/**
 * SinoFormat:
 *
 * What negotiation settles for a stream: the type of its values, its named axes with their extents, and the geometry.
 *
 * A format never changes once made; the `with_` methods give changed copies, which is how a task derives its output
 * format from that of its input: such a copy keeps all that it does not change.
 *
 * Axes are named `angle`, `row`, `column`, `z`, `y` and `x`, and listed outermost first, as in a C array:
 * projections are (angle, row, column), sinograms (row, angle, column), slices (z, y, x).
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoFormat, sino_format, SINO, FORMAT, GObject)

/**
 * sino_format_new_projections:
 * @element: type of the values
 * @n_angles: number of projections, at least 1
 * @n_rows: detector rows, at least 1
 * @n_columns: detector columns, at least 1
 * @geometry: (nullable): where the rays run
 *
 * Makes the format of a stream of projections: axes (angle, row, column).
 *
 * Returns: (transfer full): a format
 */
SINO_PUBLIC
SinoFormat *sino_format_new_projections (SinoElement element, gint64 n_angles, gint64 n_rows, gint64 n_columns,
                                         SinoGeometry *geometry);

/**
 * sino_format_new_sinograms:
 * @element: type of the values
 * @n_rows: detector rows, at least 1
 * @n_angles: number of projections, at least 1
 * @n_columns: detector columns, at least 1
 * @geometry: (nullable): where the rays run
 *
 * Makes the format of a stream of sinograms: axes (row, angle, column).
 *
 * Returns: (transfer full): a format
 */
SINO_PUBLIC
SinoFormat *sino_format_new_sinograms (SinoElement element, gint64 n_rows, gint64 n_angles, gint64 n_columns,
                                       SinoGeometry *geometry);

/**
 * sino_format_new_slices:
 * @element: type of the values
 * @depth: number of slices, at least 1
 * @height: rows of a slice, at least 1
 * @width: columns of a slice, at least 1
 * @geometry: (nullable): of the scan that the slices were made from
 *
 * Makes the format of a stream of slices: axes (z, y, x).
 *
 * Returns: (transfer full): a format
 */
SINO_PUBLIC
SinoFormat *sino_format_new_slices (SinoElement element, gint64 depth, gint64 height, gint64 width,
                                    SinoGeometry *geometry);

/**
 * sino_format_with_element:
 * @self: a format
 * @element: type of the values
 *
 * Gives this format with another type of values.
 *
 * Returns: (transfer full): a format
 */
SINO_PUBLIC
SinoFormat *sino_format_with_element (SinoFormat *self, SinoElement element);

/**
 * sino_format_with_extent:
 * @self: a format
 * @axis: name of an axis
 * @extent: its new extent, at least 1
 * @error: return location for an error
 *
 * Gives this format with another extent of one axis.
 *
 * Fails with %SINO_ERROR_BAD_FORMAT when the format has no such axis or the extent is below 1.
 *
 * Returns: (transfer full): a format
 */
SINO_PUBLIC
SinoFormat *sino_format_with_extent (SinoFormat *self, const gchar *axis, gint64 extent, GError **error);

/**
 * sino_format_with_range:
 * @self: a format
 * @axis: name of an axis
 * @first: the first index that is kept
 * @extent: how many indices are kept, at least 1
 * @step: the distance of those that are kept, at least 1
 * @error: return location for an error
 *
 * Gives this format cut to some indices of one axis; it still knows their numbers in the scan
 * ([method@Sino.Format.get_number]). Cutting the angles cuts those of the geometry too.
 *
 * Fails with %SINO_ERROR_BAD_FORMAT when the format has no such axis, or not all these indices.
 *
 * Returns: (transfer full): a format
 */
SINO_PUBLIC
SinoFormat *sino_format_with_range (SinoFormat *self, const gchar *axis, gint64 first, gint64 extent, gint64 step,
                                    GError **error);

/**
 * sino_format_with_geometry:
 * @self: a format
 * @geometry: (nullable): where the rays run
 *
 * Gives this format with another geometry.
 *
 * Returns: (transfer full): a format
 */
SINO_PUBLIC
SinoFormat *sino_format_with_geometry (SinoFormat *self, SinoGeometry *geometry);

/**
 * sino_format_get_element:
 * @self: a format
 *
 * Gives the type of the values.
 *
 * Returns: the type
 */
SINO_PUBLIC
SinoElement sino_format_get_element (SinoFormat *self);

/**
 * sino_format_get_kind:
 * @self: a format
 *
 * Says what the axes of the stream make it.
 *
 * Returns: projections, sinograms, slices or other
 */
SINO_PUBLIC
SinoKind sino_format_get_kind (SinoFormat *self);

/**
 * sino_format_get_axes:
 * @self: a format
 *
 * Gives the names of the axes, outermost first.
 *
 * Returns: (array zero-terminated=1) (transfer full): the names
 */
SINO_PUBLIC
gchar **sino_format_get_axes (SinoFormat *self);

/**
 * sino_format_get_shape:
 * @self: a format
 * @n_axes: (out): number of axes
 *
 * Gives the extents of the axes, outermost first.
 *
 * Returns: (array length=n_axes) (transfer full): the extents
 */
SINO_PUBLIC
gint64 *sino_format_get_shape (SinoFormat *self, gsize *n_axes);

/**
 * sino_format_get_extent:
 * @self: a format
 * @axis: name of an axis
 *
 * Gives the extent of one axis.
 *
 * Returns: the extent, or 1 when there is no such axis
 */
SINO_PUBLIC
gint64 sino_format_get_extent (SinoFormat *self, const gchar *axis);

/**
 * sino_format_get_number:
 * @self: a format
 * @axis: name of an axis
 * @index: an index of that axis
 *
 * Gives the place in the scan that an index of the stream stands for. They differ where the scan was read in part:
 * index 0 of axis `row` is number 100 when rows 100 to 200 were read.
 *
 * Returns: the number; @index itself when there is no such axis
 */
SINO_PUBLIC
gint64 sino_format_get_number (SinoFormat *self, const gchar *axis, gint64 index);

/**
 * sino_format_get_geometry:
 * @self: a format
 *
 * Gives the geometry.
 *
 * Returns: (transfer full) (nullable): where the rays run, or %NULL where that is unknown
 */
SINO_PUBLIC
SinoGeometry *sino_format_get_geometry (SinoFormat *self);

/**
 * sino_format_get_size:
 * @self: a format
 *
 * Gives the size of the whole stream.
 *
 * Returns: bytes; the largest number where there are more
 */
SINO_PUBLIC
guint64 sino_format_get_size (SinoFormat *self);

/**
 * sino_format_to_string:
 * @self: a format
 *
 * Describes the format, as in "u16 projections (angle 181, row 2, column 640)".
 *
 * Returns: (transfer full): the description
 */
SINO_PUBLIC
gchar *sino_format_to_string (SinoFormat *self);

G_END_DECLS
