// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-app-array.h"
#include "app/app-array.hpp"
#include "stream/objects.hpp"

using sino::app::AppArray;

GType sino_app_array_get_type (void)
{
  return sino::Binding<AppArray>::gtype ();
}

SinoAppArray *sino_app_array_new (void)
{
  return static_cast<SinoAppArray *> (g_object_new (SINO_TYPE_APP_ARRAY, nullptr));
}

// The memory of `bytes`, with a reference to them.
static std::shared_ptr<const std::byte> memory_of (GBytes *bytes)
{
  return {static_cast<const std::byte *> (g_bytes_get_data (bytes, nullptr)),
          [held = g_bytes_ref (bytes)] (const std::byte *) { g_bytes_unref (held); }};
}

gboolean sino_app_array_set (SinoAppArray *self, SinoFormat *format, GBytes *values, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_ARRAY (self) && SINO_IS_FORMAT (format) && values, FALSE);
  return sino::guarded (error, [&] {
    sino::Held<AppArray>::of (self).set (sino::contents (format), memory_of (values), g_bytes_get_size (values));
  });
}

gboolean sino_app_array_add_darks (SinoAppArray *self, GBytes *frames, gint64 before, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_ARRAY (self) && frames && before >= 0, FALSE);
  return sino::guarded (error, [&] {
    sino::Held<AppArray>::of (self).add_darks (memory_of (frames), g_bytes_get_size (frames), before);
  });
}

gboolean sino_app_array_add_flats (SinoAppArray *self, GBytes *frames, gint64 before, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_ARRAY (self) && frames && before >= 0, FALSE);
  return sino::guarded (error, [&] {
    sino::Held<AppArray>::of (self).add_flats (memory_of (frames), g_bytes_get_size (frames), before);
  });
}
