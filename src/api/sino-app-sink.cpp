// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-app-sink.h"
#include "app/app-sink.hpp"
#include "stream/objects.hpp"

using sino::app::AppSink;
using sino::app::BlockQueue;

GType sino_app_sink_get_type (void)
{
  return sino::Binding<AppSink>::gtype ();
}

SinoAppSink *sino_app_sink_new (void)
{
  return static_cast<SinoAppSink *> (g_object_new (SINO_TYPE_APP_SINK, nullptr));
}

static BlockQueue &queue (SinoAppSink *self)
{
  return sino::Held<AppSink>::of (self).queue ();
}

static SinoBuffer *pull (SinoAppSink *self, std::chrono::microseconds time, GError **error)
{
  return sino::guarded (error, [&] () -> SinoBuffer * {
    auto pulled = queue (self).pull (time);
    if (pulled.state != BlockQueue::State::block)
      return nullptr;
    const sino::ObjectPtr<SinoFormat> format (sino::make_object (pulled.block.format_pointer ()));
    return sino::make_object (format.get (), std::move (pulled.block), false);
  });
}

SinoBuffer *sino_app_sink_pull (SinoAppSink *self, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SINK (self), nullptr);
  return pull (self, std::chrono::microseconds (-1), error);
}

SinoBuffer *sino_app_sink_try_pull (SinoAppSink *self, guint64 timeout, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SINK (self), nullptr);
  constexpr guint64 year = G_GUINT64_CONSTANT (365) * 24 * 3600 * 1000000;
  return pull (self, std::chrono::microseconds (std::min (timeout, year)), error);
}

gboolean sino_app_sink_is_end_of_stream (SinoAppSink *self)
{
  g_return_val_if_fail (SINO_IS_APP_SINK (self), FALSE);
  return queue (self).at_end ();
}

gboolean sino_app_sink_is_full (SinoAppSink *self)
{
  g_return_val_if_fail (SINO_IS_APP_SINK (self), FALSE);
  return queue (self).full ();
}

gint64 sino_app_sink_get_current_level_bytes (SinoAppSink *self)
{
  g_return_val_if_fail (SINO_IS_APP_SINK (self), 0);
  return queue (self).level ().bytes;
}

gint64 sino_app_sink_get_current_level_buffers (SinoAppSink *self)
{
  g_return_val_if_fail (SINO_IS_APP_SINK (self), 0);
  return queue (self).level ().buffers;
}

gint64 sino_app_sink_get_held_bytes (SinoAppSink *self)
{
  g_return_val_if_fail (SINO_IS_APP_SINK (self), 0);
  return queue (self).level ().held;
}
