// SPDX-License-Identifier: LGPL-3.0-or-later
#include "sino-buffer.h"
#include "glue/boundary.hpp"
#include "stream/objects.hpp"
#include <cstring>
#include <new>
#include <utility>

struct _SinoBuffer {
  GObject parent;
  SinoFormat *format;
  sino::Block block;
  bool writable;
};

G_DEFINE_FINAL_TYPE (SinoBuffer, sino_buffer, G_TYPE_OBJECT)

static void sino_buffer_init (SinoBuffer *self)
{
  new (&self->block) sino::Block;
}

static void sino_buffer_class_init (SinoBufferClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = [] (GObject *object) {
    auto *self = SINO_BUFFER (object);
    if (self->format)
      g_object_unref (self->format);
    self->block.~Block ();
    G_OBJECT_CLASS (sino_buffer_parent_class)->finalize (object);
  };
}

namespace sino {

SinoBuffer *make_object (SinoFormat *format, Block block, bool writable)
{
  auto *self = static_cast<SinoBuffer *> (g_object_new (SINO_TYPE_BUFFER, nullptr));
  self->format = static_cast<SinoFormat *> (g_object_ref (format));
  self->block = std::move (block);
  self->writable = writable;
  return self;
}

void detach (SinoBuffer *self)
{
  self->writable = false;
  // Nobody but the caller can hold the last reference, so nobody can take another one meanwhile.
  if (g_atomic_int_get (&self->parent.ref_count) == 1)
    return;
  const auto &old = self->block;
  Block copy = make_block (old.format_pointer (), {}, old.region ());
  std::memcpy (copy.data (), std::as_const (old).data (), old.bytes ());
  self->block = std::move (copy);
}

} // namespace sino

SinoBuffer *sino_buffer_new (SinoFormat *format, GError **error)
{
  g_return_val_if_fail (SINO_IS_FORMAT (format), nullptr);
  return sino::guarded (error, static_cast<SinoBuffer *> (nullptr), [&] {
    const auto &f = sino::contents (format);
    return sino::make_object (format, sino::make_block (f, {}, {{0, f->rows ()}, {0, f->angles ()}}), true);
  });
}

SinoFormat *sino_buffer_get_format (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return self->format;
}

SinoElement sino_buffer_get_element (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), SINO_ELEMENT_F32);
  return sino_format_get_element (self->format);
}

gint64 *sino_buffer_get_shape (SinoBuffer *self, gsize *n_axes)
{
  g_return_val_if_fail (n_axes, nullptr);
  *n_axes = 0;
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  const auto &format = self->block.format ();
  auto *shape = g_new (gint64, format.axes.size ());
  for (const auto &dim : format.axes)
    shape[(*n_axes)++] = dim.axis == format.slab_axis () ? self->block.rows ().size ()
                         : dim.axis == sino::Axis::angle ? self->block.angles ().size ()
                                                         : dim.extent;
  return shape;
}

gint64 sino_buffer_get_first_row (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), 0);
  return self->block.rows ().at (0);
}

gint64 sino_buffer_get_first_angle (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), 0);
  return self->block.angles ().begin;
}

gint64 *sino_buffer_get_rows (SinoBuffer *self, gsize *n_rows)
{
  g_return_val_if_fail (n_rows, nullptr);
  *n_rows = 0;
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  const auto &rows = self->block.rows ();
  auto *list = g_new (gint64, rows.size ());
  for (gint64 i = 0; i < rows.size (); i++)
    list[(*n_rows)++] = rows.at (i);
  return list;
}

gboolean sino_buffer_is_writable (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), FALSE);
  return self->writable;
}

const guint8 *sino_buffer_get_data (SinoBuffer *self, gsize *length)
{
  g_return_val_if_fail (length, nullptr);
  *length = 0;
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  *length = self->block.bytes ();
  return reinterpret_cast<const guint8 *> (self->block.data ());
}

gboolean sino_buffer_set_data (SinoBuffer *self, const guint8 *data, gsize length, GError **error)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self) && (data || length == 0), FALSE);
  return sino::guarded (error, FALSE, [&] {
    if (!self->writable)
      sino::fail (SINO_ERROR_FAILED, "this block is shared with other tasks: it can only be read");
    if (length != self->block.bytes ())
      sino::fail (SINO_ERROR_FAILED, "%" G_GSIZE_FORMAT " bytes were given for a block of %" G_GSIZE_FORMAT, length,
                  self->block.bytes ());
    std::memcpy (self->block.data (), data, length);
    return TRUE;
  });
}

gpointer sino_buffer_get_pointer (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return self->writable ? self->block.data () : nullptr;
}
