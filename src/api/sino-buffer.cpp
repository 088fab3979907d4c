// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-buffer.h"
#include "base/pointers.hpp"
#include "glue/held.hpp"
#include "stream/host-buffer.hpp"
#include "stream/objects.hpp"
#include <cstring>
#include <mutex>
#include <utility>

namespace {

// A block that was made without a format has a single zero, which can only be read.
SinoFormat *single_zero ()
{
  static auto *format = static_cast<SinoFormat *> (g_object_new (SINO_TYPE_FORMAT, nullptr));
  return format;
}

const sino::Block &zero ()
{
  static const auto &block =
      *new sino::Block (sino::make_block (sino::contents (single_zero ()), {}, {{0, 1}, {0, 1}}));
  return block;
}

sino::Block copy_of (const sino::Block &block)
{
  sino::Block copy = sino::make_block (block.format_pointer (), {}, block.region ());
  std::memcpy (copy.data (), block.data (), block.bytes ());
  return copy;
}

// The mutex is needed because the runtime takes the memory back (detach ()) while other threads may still read the
// block.
struct BufferContents {
  std::mutex mutex;
  sino::ObjectPtr<SinoFormat> format{static_cast<SinoFormat *> (g_object_ref (single_zero ()))}; // never changes
  sino::Block block = zero (); // its memory changes at most once, its region never
  bool writable = false;
};

} // namespace

using BufferObject = sino::Held<BufferContents>;

GType sino_buffer_get_type (void)
{
  return BufferObject::gtype ("SinoBuffer");
}

namespace sino {

SinoBuffer *make_object (SinoFormat *format, Block block, bool writable)
{
  auto *self = static_cast<SinoBuffer *> (g_object_new (SINO_TYPE_BUFFER, nullptr));
  auto &contents = BufferObject::of (self);
  contents.format.reset (static_cast<SinoFormat *> (g_object_ref (format)));
  contents.block = std::move (block);
  contents.writable = writable;
  return self;
}

void detach (SinoBuffer *self)
{
  auto &contents = BufferObject::of (self);
  const std::lock_guard guard (contents.mutex);
  contents.writable = false;
  // If the caller has the only reference, no other thread can take another one now, and the content need not be kept.
  if (g_atomic_int_get (&G_OBJECT (self)->ref_count) == 1 || contents.block.buffer ()->keep ())
    return;
  contents.block = copy_of (contents.block);
}

} // namespace sino

SinoBuffer *sino_buffer_new (SinoFormat *format, GError **error)
{
  g_return_val_if_fail (SINO_IS_FORMAT (format), nullptr);
  return sino::guarded (error, [&] {
    const auto &f = sino::contents (format);
    if (f->bytes () >= 0x1p62)
      sino::fail (SINO_ERROR_MEMORY, "no memory for %s", sino::bytes_text (f->bytes ()).c_str ());
    return sino::make_object (format, sino::make_block (f, {}, {{0, f->rows ()}, {0, f->angles ()}}), true);
  });
}

// Calls `use` with the contents, which are locked meanwhile.
template <class Use> static auto locked (SinoBuffer *self, Use use)
{
  const std::lock_guard guard (BufferObject::of (self).mutex);
  return use (BufferObject::of (self));
}

SinoFormat *sino_buffer_get_format (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return BufferObject::of (self).format.get ();
}

SinoElement sino_buffer_get_element (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), SINO_ELEMENT_F32);
  return sino_format_get_element (BufferObject::of (self).format.get ());
}

gint64 *sino_buffer_get_shape (SinoBuffer *self, gsize *n_axes)
{
  g_return_val_if_fail (n_axes, nullptr);
  *n_axes = 0;
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return locked (self, [n_axes] (const BufferContents &c) {
    const auto &format = c.block.format ();
    auto *shape = g_new (gint64, format.axes.size ());
    for (const auto &dim : format.axes)
      shape[(*n_axes)++] = dim.axis == format.slab_axis () ? c.block.rows ().size ()
                           : dim.axis == sino::Axis::angle ? c.block.angles ().size ()
                                                           : dim.extent;
    return shape;
  });
}

gint64 sino_buffer_get_first_row (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), 0);
  return locked (self, [] (const BufferContents &c) { return c.block.rows ().at (0); });
}

gint64 sino_buffer_get_first_angle (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), 0);
  return locked (self, [] (const BufferContents &c) { return c.block.angles ().begin; });
}

gint64 *sino_buffer_get_rows (SinoBuffer *self, gsize *n_rows)
{
  g_return_val_if_fail (n_rows, nullptr);
  *n_rows = 0;
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return locked (self, [n_rows] (const BufferContents &c) {
    const auto &rows = c.block.rows ();
    auto *list = g_new (gint64, rows.size ());
    for (gint64 i = 0; i < rows.size (); i++)
      list[(*n_rows)++] = rows.at (i);
    return list;
  });
}

gboolean sino_buffer_is_writable (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), FALSE);
  return locked (self, [] (const BufferContents &c) { return c.writable; });
}

const guint8 *sino_buffer_get_data (SinoBuffer *self, gsize *length)
{
  g_return_val_if_fail (length, nullptr);
  *length = 0;
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return locked (self, [length] (const BufferContents &c) {
    *length = c.block.bytes ();
    return reinterpret_cast<const guint8 *> (c.block.data ());
  });
}

guint8 *sino_buffer_dup_data (SinoBuffer *self, gsize *length, GError **error)
{
  g_return_val_if_fail (length, nullptr);
  *length = 0;
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return sino::guarded (error, [&] {
    return locked (self, [length] (const BufferContents &c) {
      auto *copy = static_cast<guint8 *> (g_try_malloc (c.block.bytes ()));
      if (!copy)
        throw std::bad_alloc ();
      std::memcpy (copy, c.block.data (), c.block.bytes ());
      *length = c.block.bytes ();
      return copy;
    });
  });
}

gboolean sino_buffer_set_data (SinoBuffer *self, const guint8 *data, gsize length, GError **error)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self) && (data || length == 0), FALSE);
  return sino::guarded (error, [&] {
    locked (self, [data, length] (BufferContents &c) {
      if (!c.writable)
        sino::fail (SINO_ERROR_FAILED, "this block is shared with other tasks: it can only be read");
      if (length != c.block.bytes ())
        sino::fail (SINO_ERROR_FAILED, "%" G_GSIZE_FORMAT " bytes were given for a block of %" G_GSIZE_FORMAT, length,
                    c.block.bytes ());
      std::memcpy (c.block.data (), data, length);
    });
  });
}

// A returned address stays valid. A block whose memory could not be kept later, such as memory of a device, is
// therefore copied now, not in detach ().
guint64 sino_buffer_get_address (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), 0);
  return sino::guarded (nullptr, [self] {
    return locked (self, [] (BufferContents &c) {
      if (!c.writable && !dynamic_cast<sino::HostBuffer *> (c.block.buffer ().get ()))
        c.block = copy_of (c.block);
      return static_cast<guint64> (reinterpret_cast<guintptr> (std::as_const (c.block).data ()));
    });
  });
}

gpointer sino_buffer_get_pointer (SinoBuffer *self)
{
  g_return_val_if_fail (SINO_IS_BUFFER (self), nullptr);
  return locked (self,
                 [] (BufferContents &c) { return c.writable ? static_cast<gpointer> (c.block.data ()) : nullptr; });
}
