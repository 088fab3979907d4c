// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-live.h"
#include "glue/binding.hpp"
#include "glue/facets.hpp"
#include "glue/watches.hpp"
#include "stream/objects.hpp"
#include <algorithm>

using sino::LivePlanes;

// The copy of a task shares its planes.
static std::shared_ptr<LivePlanes> planes_of (SinoTask *task)
{
  if (const auto *type = sino::task_type (G_OBJECT_TYPE (task)))
    if (auto planes = sino::facet<sino::Watches> (*type->snapshot (task)).planes ())
      return planes;
  sino::fail (SINO_ERROR_BAD_GRAPH, "%s shows no planes: use the node 'live'", G_OBJECT_TYPE_NAME (task));
}

gint sino_live_add_plane (SinoTask *task, const gchar *plane, GError **error)
{
  g_return_val_if_fail (SINO_IS_TASK (task), -1);
  g_return_val_if_fail (plane, -1);
  gint number = -1;
  sino::guarded (error, [&] { number = planes_of (task)->add (plane); });
  return number;
}

gboolean sino_live_move_plane (SinoTask *task, gint number, const gchar *plane, GError **error)
{
  g_return_val_if_fail (SINO_IS_TASK (task), FALSE);
  g_return_val_if_fail (plane, FALSE);
  return sino::guarded (error, [&] { planes_of (task)->move (number, plane); });
}

gboolean sino_live_remove_plane (SinoTask *task, gint number, GError **error)
{
  g_return_val_if_fail (SINO_IS_TASK (task), FALSE);
  return sino::guarded (error, [&] { planes_of (task)->remove (number); });
}

GVariant *sino_live_list_planes (SinoTask *task, GError **error)
{
  g_return_val_if_fail (SINO_IS_TASK (task), nullptr);
  return sino::guarded (error, [&] {
    GVariantBuilder list;
    const auto planes = planes_of (task)->list ();
    g_variant_builder_init (&list, G_VARIANT_TYPE ("a(is)"));
    for (const auto &[number, plane] : planes)
      g_variant_builder_add (&list, "(is)", number, plane.c_str ());
    return g_variant_ref_sink (g_variant_builder_end (&list));
  });
}

gboolean sino_live_set_axis (SinoTask *task, gdouble column, GError **error)
{
  g_return_val_if_fail (SINO_IS_TASK (task), FALSE);
  return sino::guarded (error, [&] { planes_of (task)->set_axis (column); });
}

gboolean sino_live_get_found_axis (SinoTask *task, gdouble *column, gdouble *deviation, gint64 *projections,
                                   gboolean *settled, GError **error)
{
  g_return_val_if_fail (SINO_IS_TASK (task), FALSE);
  std::optional<sino::FoundAxis> found;
  sino::guarded (error, [&] { found = planes_of (task)->found_axis (); });
  if (column)
    *column = found ? found->column : 0;
  if (deviation)
    *deviation = found ? found->deviation : 0;
  if (projections)
    *projections = found ? found->projections : 0;
  if (settled)
    *settled = found && found->settled;
  return found.has_value ();
}

SinoBuffer *sino_live_pull (SinoTask *task, gint number, gint64 newer_than, gint64 timeout, gint64 *version,
                            gint64 *projections, gchar **plane, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (SINO_IS_TASK (task), nullptr);
  g_return_val_if_fail (timeout >= -1, nullptr);
  g_return_val_if_fail (!cancellable || G_IS_CANCELLABLE (cancellable), nullptr);
  return sino::guarded (error, [&] () -> SinoBuffer * {
    constexpr gint64 year = G_GINT64_CONSTANT (365) * 24 * 3600 * 1000000;
    const auto picture =
        planes_of (task)->pull (number, newer_than, std::chrono::microseconds (std::min (timeout, year)),
                                [cancellable] { return bool (g_cancellable_is_cancelled (cancellable)); });
    if (version)
      *version = picture ? picture->version : 0;
    if (projections)
      *projections = picture ? picture->projections : 0;
    if (plane)
      *plane = picture ? g_strdup (picture->plane.c_str ()) : nullptr;
    if (!picture)
      return nullptr;
    const sino::ObjectPtr<SinoFormat> format (sino::make_object (picture->block.format_pointer ()));
    return sino::make_object (format.get (), picture->block, false);
  });
}
