/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wrong uses of Format, Geometry and Buffer, which are values that never change. */
#include "tests/api/misuse.h"
#include <math.h>

static SinoFormat *slices (gint64 depth, gint64 height)
{
  return sino_format_new_slices (SINO_ELEMENT_U8, depth, height, 2, NULL);
}

/* --- formats --- */

ROW (format_of_nothing)
{
  g_assert_null (slices (0, 2));
}

ROW (format_of_unknown_element)
{
  g_assert_null (sino_format_new_sinograms ((SinoElement)17, 1, 1, 1, NULL));
}

ROW (format_with_a_buffer_as_geometry)
{
  g_autoptr (SinoFormat) format = slices (1, 1);
  g_assert_null (sino_format_with_geometry (format, (SinoGeometry *)format));
}

ROW (format_null)
{
  g_assert_cmpuint (sino_format_get_size (NULL), ==, 0);
}

ROW (format_without_that_axis)
{
  g_autoptr (SinoFormat) format = slices (1, 1);
  g_assert_null (sino_format_with_extent (format, "angle", 2, error));
}

ROW (format_with_no_such_axis)
{
  g_autoptr (SinoFormat) format = slices (1, 1);
  g_assert_null (sino_format_with_extent (format, "time", 2, error));
}

ROW (format_with_an_empty_axis)
{
  g_autoptr (SinoFormat) format = slices (1, 1);
  g_assert_null (sino_format_with_extent (format, "z", 0, error));
}

ROW (format_with_a_range_outside)
{
  g_autoptr (SinoFormat) format = slices (5, 1);
  g_assert_null (sino_format_with_range (format, "z", 3, G_MAXINT64, 1, error));
}

/* --- geometries --- */

ROW (geometry_of_null)
{
  g_assert_null (sino_geometry_new (NULL, 3));
}

ROW (geometry_of_nan)
{
  const gdouble angles[] = {0, (gdouble)NAN};
  g_assert_null (sino_geometry_new (angles, 2));
}

static SinoGeometry *two_angles (void)
{
  const gdouble angles[] = {0, 90};
  return sino_geometry_new (angles, 2);
}

ROW (geometry_with_too_many_axes)
{
  const gdouble axis[] = {1, 2, 3};
  g_autoptr (SinoGeometry) geometry = two_angles ();
  g_assert_null (sino_geometry_with_axis (geometry, axis, 3));
}

ROW (geometry_with_pixels_of_no_size)
{
  g_autoptr (SinoGeometry) geometry = two_angles ();
  g_assert_null (sino_geometry_with_pixel_size (geometry, 0));
}

ROW (geometry_of_a_cone_without_axis)
{
  g_autoptr (SinoGeometry) geometry = two_angles ();
  g_assert_null (sino_geometry_with_cone (geometry, 100, 10, 1, error));
}

ROW (geometry_of_a_cone_from_behind)
{
  g_autoptr (SinoGeometry) geometry = two_angles ();
  g_assert_null (sino_geometry_with_cone (geometry, -1, 10, 1, error));
}

ROW (geometry_of_some_matrices)
{
  const gdouble numbers[23] = {1};
  g_autoptr (SinoGeometry) geometry = two_angles ();
  g_assert_null (sino_geometry_with_matrices (geometry, numbers, G_N_ELEMENTS (numbers), error));
}

ROW (geometry_of_empty_matrices)
{
  const gdouble numbers[24] = {0};
  g_autoptr (SinoGeometry) geometry = two_angles ();
  g_assert_null (sino_geometry_with_matrices (geometry, numbers, G_N_ELEMENTS (numbers), error));
}

/* --- buffers --- */

ROW (buffer_of_a_geometry)
{
  g_autoptr (SinoGeometry) geometry = two_angles ();
  g_assert_null (sino_buffer_new ((SinoFormat *)geometry, NULL));
}

ROW (buffer_of_more_than_there_is)
{
  g_autoptr (SinoFormat) format = slices (G_GINT64_CONSTANT (1) << 40, 1 << 22);
  g_assert_null (sino_buffer_new (format, error));
}

static SinoBuffer *small (void)
{
  g_autoptr (SinoFormat) format = slices (1, 2);
  return sino_buffer_new (format, NULL);
}

ROW (buffer_without_place_for_the_length)
{
  g_autoptr (SinoBuffer) buffer = small ();
  g_assert_null (sino_buffer_get_data (buffer, NULL));
}

ROW (buffer_filled_with_too_much)
{
  g_autoptr (SinoBuffer) buffer = small ();
  g_assert_false (sino_buffer_set_data (buffer, frame, 5, error));
}

ROW (buffer_filled_from_null)
{
  g_autoptr (SinoBuffer) buffer = small ();
  g_assert_false (sino_buffer_set_data (buffer, NULL, 4, error));
}

ROW (buffer_that_can_only_be_read)
{
  g_autoptr (SinoBuffer) block = run_scan (f);
  gsize length = 0;
  g_assert_nonnull (sino_buffer_get_data (block, &length));
  g_assert_null (sino_buffer_get_pointer (block));
  g_assert_false (sino_buffer_set_data (block, frame, length, error));
}

ROW (buffer_made_without_a_format)
{
  g_autoptr (SinoBuffer) buffer = g_object_new (SINO_TYPE_BUFFER, NULL);
  g_assert_false (sino_buffer_set_data (buffer, frame, 4, error));
}

ROW (buffer_that_outlives_all)
{
  g_autoptr (SinoBuffer) block = run_scan (f);
  clear_object (&f->graph);
  clear_object (&f->source);
  clear_object (&f->sink);
  clear_object (&f->runner);
  gsize length = 0;
  const guint8 *data = sino_buffer_get_data (block, &length);
  g_assert_cmpmem (data, frame_bytes, frame, frame_bytes);
}

ROW (buffer_null)
{
  g_assert_cmpuint (sino_buffer_get_address (NULL), ==, 0);
}

static const Misuse formats[] = {
    {"an axis of no extent", format_of_nothing, CRITICAL, 0, "assertion"},
    {"no such element", format_of_unknown_element, CRITICAL, 0, "assertion"},
    {"a format in place of a geometry", format_with_a_buffer_as_geometry, CRITICAL, 0, "SINO_IS_GEOMETRY"},
    {"NULL", format_null, CRITICAL, 0, "SINO_IS_FORMAT"},
    {"an axis of other streams", format_without_that_axis, SINO, SINO_ERROR_BAD_FORMAT, "angle"},
    {"no axis at all", format_with_no_such_axis, SINO, SINO_ERROR_BAD_FORMAT, "time"},
    {"an axis made empty", format_with_an_empty_axis, SINO, SINO_ERROR_BAD_FORMAT, "0"},
    {"a range that is not there", format_with_a_range_outside, SINO, SINO_ERROR_BAD_FORMAT, "axis 'z' has 5 indices"},
};

static const Misuse geometries[] = {
    {"NULL for three angles", geometry_of_null, CRITICAL, 0, "angles"},
    {"an angle that is no number", geometry_of_nan, CRITICAL, 0, "all_finite"},
    {"axes of other projections", geometry_with_too_many_axes, CRITICAL, 0, "n_axis"},
    {"pixels of no size", geometry_with_pixels_of_no_size, CRITICAL, 0, "pixel_size > 0"},
    {"a cone without an axis", geometry_of_a_cone_without_axis, SINO, SINO_ERROR_BAD_PROPERTY, "the axis are unknown"},
    {"a source behind the axis", geometry_of_a_cone_from_behind, SINO, SINO_ERROR_BAD_PROPERTY, "source-origin -1"},
    {"half a matrix", geometry_of_some_matrices, SINO, SINO_ERROR_BAD_PROPERTY, "23 numbers for 2 projections"},
    {"matrices of zeros", geometry_of_empty_matrices, SINO, SINO_ERROR_BAD_PROPERTY, "matri"},
};

static const Misuse buffers[] = {
    {"a geometry in place of a format", buffer_of_a_geometry, CRITICAL, 0, "SINO_IS_FORMAT"},
    {"more than there is memory", buffer_of_more_than_there_is, SINO, SINO_ERROR_MEMORY, "no memory for"},
    {"no place for the length", buffer_without_place_for_the_length, CRITICAL, 0, "length"},
    {"more bytes than it has", buffer_filled_with_too_much, SINO, SINO_ERROR_FAILED,
     "5 bytes were given for a block of 4"},
    {"bytes from NULL", buffer_filled_from_null, CRITICAL, 0, "data"},
    {"written where it is shared", buffer_that_can_only_be_read, SINO, SINO_ERROR_FAILED, "it can only be read"},
    {"made without a format", buffer_made_without_a_format, SINO, SINO_ERROR_FAILED, "it can only be read"},
    {"kept after all else", buffer_that_outlives_all, FINE, 0, NULL},
    {"NULL", buffer_null, CRITICAL, 0, "SINO_IS_BUFFER"},
};

void add_misuses_of_values (void)
{
  add_misuses ("format", formats, G_N_ELEMENTS (formats));
  add_misuses ("geometry", geometries, G_N_ELEMENTS (geometries));
  add_misuses ("buffer", buffers, G_N_ELEMENTS (buffers));
}
