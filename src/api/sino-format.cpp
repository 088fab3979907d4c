// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-format.h"
#include "glue/held.hpp"
#include "stream/objects.hpp"
#include <optional>

using sino::Axis;
using sino::Dim;

static_assert (SINO_ELEMENT_U8 == gint (sino::Element::u8) && SINO_ELEMENT_F32 == gint (sino::Element::f32));
static_assert (SINO_KIND_PROJECTIONS == gint (sino::Kind::projections) && SINO_KIND_OTHER == gint (sino::Kind::other));

namespace {

// Format of an object that was made without a constructor: projections with a single value.
const std::shared_ptr<const sino::Format> &single ()
{
  static const auto format = std::make_shared<const sino::Format> (
      sino::projections (sino::Element::f32, {Axis::angle, 1}, {Axis::row, 1}, {Axis::column, 1}));
  return format;
}

struct FormatContents {
  std::shared_ptr<const sino::Format> format = single ();
};

} // namespace

using FormatObject = sino::Held<FormatContents>;

GType sino_format_get_type (void)
{
  return FormatObject::gtype ("SinoFormat");
}

namespace sino {

SinoFormat *make_object (std::shared_ptr<const Format> format)
{
  auto *self = static_cast<SinoFormat *> (g_object_new (SINO_TYPE_FORMAT, nullptr));
  FormatObject::of (self).format = std::move (format);
  return self;
}

const std::shared_ptr<const Format> &contents (SinoFormat *self)
{
  return FormatObject::of (self).format;
}

} // namespace sino

static SinoFormat *make (sino::Format format)
{
  return sino::make_object (std::make_shared<const sino::Format> (std::move (format)));
}

static std::optional<Axis> find_axis (const gchar *name)
{
  for (const auto axis : {Axis::angle, Axis::row, Axis::column, Axis::z, Axis::y, Axis::x})
    if (g_str_equal (name, sino::name_of (axis)))
      return axis;
  return {};
}

static Axis parse_axis (const gchar *name)
{
  if (const auto axis = find_axis (name))
    return *axis;
  sino::fail (SINO_ERROR_BAD_FORMAT, "no axis is named '%s': there are angle, row, column, z, y and x", name);
}

static bool is_element (SinoElement element)
{
  return element >= SINO_ELEMENT_U8 && element <= SINO_ELEMENT_F32;
}

// --- constructors ---

static SinoFormat *make (sino::Format format, SinoGeometry *geometry)
{
  if (geometry)
    format.geometry = sino::contents (geometry);
  return make (std::move (format));
}

SinoFormat *sino_format_new_projections (SinoElement element, gint64 n_angles, gint64 n_rows, gint64 n_columns,
                                         SinoGeometry *geometry)
{
  g_return_val_if_fail (is_element (element) && n_angles > 0 && n_rows > 0 && n_columns > 0, nullptr);
  g_return_val_if_fail (!geometry || SINO_IS_GEOMETRY (geometry), nullptr);
  return make (sino::projections (sino::Element (element), {Axis::angle, n_angles}, {Axis::row, n_rows},
                                  {Axis::column, n_columns}),
               geometry);
}

SinoFormat *sino_format_new_sinograms (SinoElement element, gint64 n_rows, gint64 n_angles, gint64 n_columns,
                                       SinoGeometry *geometry)
{
  g_return_val_if_fail (is_element (element) && n_angles > 0 && n_rows > 0 && n_columns > 0, nullptr);
  g_return_val_if_fail (!geometry || SINO_IS_GEOMETRY (geometry), nullptr);
  return make (sino::sinograms (sino::Element (element), {Axis::row, n_rows}, {Axis::angle, n_angles},
                                {Axis::column, n_columns}),
               geometry);
}

SinoFormat *sino_format_new_slices (SinoElement element, gint64 depth, gint64 height, gint64 width,
                                    SinoGeometry *geometry)
{
  g_return_val_if_fail (is_element (element) && depth > 0 && height > 0 && width > 0, nullptr);
  g_return_val_if_fail (!geometry || SINO_IS_GEOMETRY (geometry), nullptr);
  return make (sino::slices (sino::Element (element), {Axis::z, depth}, {Axis::y, height}, {Axis::x, width}), geometry);
}

// --- changed copies ---

SinoFormat *sino_format_with_element (SinoFormat *self, SinoElement element)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self) && is_element (element), nullptr);
  auto format = *sino::contents (self);
  format.element = sino::Element (element);
  return make (std::move (format));
}

SinoFormat *sino_format_with_extent (SinoFormat *self, const gchar *axis, gint64 extent, GError **error)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self) && axis, nullptr);
  return sino::guarded (error, [&] {
    auto format = *sino::contents (self);
    auto &dim = format.dim (parse_axis (axis));
    if (extent < 1)
      sino::fail (SINO_ERROR_BAD_FORMAT, "axis '%s': an extent of %" G_GINT64_FORMAT " is below 1", axis, extent);
    dim.extent = extent;
    return make (std::move (format));
  });
}

// If there is one value per projection: `extent` of them, every step-th one, starting at `first`. Otherwise unchanged.
template <class Value>
static std::vector<Value> cut (const std::vector<Value> &values, const Dim &old, gint64 first, gint64 extent,
                               gint64 step)
{
  if (static_cast<gint64> (values.size ()) != old.extent || values.size () == 1)
    return values;
  std::vector<Value> kept;
  for (gint64 i = 0; i < extent; i++)
    kept.push_back (values[static_cast<size_t> (first + i * step)]);
  return kept;
}

SinoFormat *sino_format_with_range (SinoFormat *self, const gchar *axis, gint64 first, gint64 extent, gint64 step,
                                    GError **error)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self) && axis, nullptr);
  return sino::guarded (error, [&] {
    auto format = *sino::contents (self);
    auto &dim = format.dim (parse_axis (axis));
    if (first < 0 || step < 1 || extent < 1 || first >= dim.extent || (extent - 1) > (dim.extent - 1 - first) / step)
      sino::fail (SINO_ERROR_BAD_FORMAT,
                  "axis '%s' has %" G_GINT64_FORMAT " indices: %" G_GINT64_FORMAT " indices from %" G_GINT64_FORMAT
                  " in steps of %" G_GINT64_FORMAT " exceed them",
                  axis, dim.extent, extent, first, step);
    if (format.geometry) {
      auto geometry = *format.geometry;
      if (dim.axis == Axis::angle) {
        geometry.angles = cut (geometry.angles, dim, first, extent, step);
        geometry.axis = cut (geometry.axis, dim, first, extent, step);
        geometry.views = cut (geometry.views, dim, first, extent, step);
      } else if (dim.axis == Axis::row || dim.axis == Axis::column)
        for (auto &view : geometry.views)
          view = dim.axis == Axis::row ? part_of (view, 0, 1, first, step) : part_of (view, first, step, 0, 1);
      format.geometry = std::make_shared<const sino::Geometry> (std::move (geometry));
    }
    dim = {dim.axis, extent, dim.number (first), dim.step * step};
    return make (std::move (format));
  });
}

SinoFormat *sino_format_with_geometry (SinoFormat *self, SinoGeometry *geometry)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self), nullptr);
  g_return_val_if_fail (!geometry || SINO_IS_GEOMETRY (geometry), nullptr);
  auto format = *sino::contents (self);
  format.geometry = geometry ? sino::contents (geometry) : nullptr;
  return make (std::move (format));
}

// --- queries ---

SinoElement sino_format_get_element (SinoFormat *self)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self), SINO_ELEMENT_F32);
  return SinoElement (sino::contents (self)->element);
}

SinoKind sino_format_get_kind (SinoFormat *self)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self), SINO_KIND_OTHER);
  return SinoKind (sino::contents (self)->kind ());
}

gchar **sino_format_get_axes (SinoFormat *self)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self), nullptr);
  const auto &axes = sino::contents (self)->axes;
  auto **names = g_new0 (gchar *, axes.size () + 1);
  for (size_t i = 0; i < axes.size (); i++)
    names[i] = g_strdup (sino::name_of (axes[i].axis));
  return names;
}

gint64 *sino_format_get_shape (SinoFormat *self, gsize *n_axes)
{
  g_return_val_if_fail (n_axes, nullptr);
  *n_axes = 0;
  g_return_val_if_fail (SINO_IS_FORMAT (self), nullptr);
  const auto &axes = sino::contents (self)->axes;
  auto *shape = g_new (gint64, axes.size ());
  for (const auto &dim : axes)
    shape[(*n_axes)++] = dim.extent;
  return shape;
}

gint64 sino_format_get_extent (SinoFormat *self, const gchar *axis)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self) && axis, 1);
  const auto found = find_axis (axis);
  return found ? sino::contents (self)->extent (*found) : 1;
}

gint64 sino_format_get_number (SinoFormat *self, const gchar *axis, gint64 index)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self) && axis, index);
  const auto found = find_axis (axis);
  const auto &format = *sino::contents (self);
  return found && format.has (*found) ? format.dim (*found).number (index) : index;
}

SinoGeometry *sino_format_get_geometry (SinoFormat *self)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self), nullptr);
  return sino::contents (self)->geometry ? sino::make_object (sino::contents (self)->geometry) : nullptr;
}

guint64 sino_format_get_size (SinoFormat *self)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self), 0);
  const double bytes = sino::contents (self)->bytes ();
  return bytes < 0x1p64 ? static_cast<guint64> (bytes) : G_MAXUINT64;
}

gchar *sino_format_to_string (SinoFormat *self)
{
  g_return_val_if_fail (SINO_IS_FORMAT (self), nullptr);
  return g_strdup (sino::contents (self)->describe ().c_str ());
}
