// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-app-source-frames.h"
#include "app/app-source.hpp"
#include "stream/objects.hpp"
#include <cmath>

using sino::Chunk;
using sino::FrameQueue;
using sino::app::AppSource;

GType sino_app_source_get_type (void)
{
  return sino::Binding<AppSource>::gtype ();
}

SinoAppSource *sino_app_source_new (void)
{
  return static_cast<SinoAppSource *> (g_object_new (SINO_TYPE_APP_SOURCE, nullptr));
}

static AppSource &of (SinoAppSource *self)
{
  return sino::Held<AppSource>::of (self);
}

void sino_app_source_set_geometry (SinoAppSource *self, SinoGeometry *geometry)
{
  g_return_if_fail (SINO_IS_APP_SOURCE (self) && (!geometry || SINO_IS_GEOMETRY (geometry)));
  auto &feed = of (self).feed ();
  const std::lock_guard guard (feed.mutex);
  feed.geometry = geometry ? sino::contents (geometry) : nullptr;
}

// --- push ---

// Pushes the frames in the memory that `memory ()` returns; calls it only when their size is right and there is room.
static FrameQueue::Pushed push (SinoAppSource *self, size_t length, bool may_wait, Chunk about,
                                const FrameQueue::Memory &memory)
{
  auto &source = of (self);
  about.count = source.frames_in (length);
  about.shape = source.shape ();
  if (source.angles_come () && about.angles.empty ())
    sino::fail (SINO_ERROR_BAD_FORMAT,
                "own-angles is set, but the frame has no angle: use push_frame, which takes the angle");
  const auto bounds = [&source, may_wait] {
    auto now = source.bounds ();
    now.wait = now.wait && may_wait;
    return now;
  };
  return source.feed ().queue.push (std::move (about), bounds, memory);
}

static void push_all (SinoAppSource *self, size_t length, Chunk about, const FrameQueue::Memory &memory)
{
  if (push (self, length, true, std::move (about), memory) == FrameQueue::Pushed::full)
    sino::fail (SINO_ERROR_MEMORY,
                "no room for %zu bytes of frames: %" G_GINT64_FORMAT " bytes wait; raise max-bytes and max-buffers, or "
                "set block=true to wait",
                length, of (self).feed ().queue.level ().bytes);
}

gboolean sino_app_source_push (SinoAppSource *self, const guint8 *data, gsize length, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && (data || length == 0), FALSE);
  return sino::guarded (error,
                        [&] { push_all (self, length, {}, [&] { return of (self).copies ().copy (data, length); }); });
}

gboolean sino_app_source_try_push (SinoAppSource *self, const guint8 *data, gsize length, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && (data || length == 0), FALSE);
  return sino::guarded (error, [&] {
    const auto pushed = push (self, length, false, {}, [&] { return of (self).copies ().copy (data, length); });
    return pushed != FrameQueue::Pushed::full;
  });
}

// What is said of a single frame. Throws if it is wrong.
static Chunk about_frame (AppSource &source, size_t length, gint64 number, gdouble angle)
{
  if (source.frames_in (length) != 1)
    sino::fail (SINO_ERROR_BAD_FORMAT, "%zu bytes are more than one frame, but only one number and angle was given",
                length);
  constexpr gint64 most = 1 << 30; // like the maximum of the property 'frames'
  if (number < -1 || number >= most)
    sino::fail (SINO_ERROR_FAILED,
                "frame %" G_GINT64_FORMAT ": numbers are from 0 to %" G_GINT64_FORMAT ", or -1 for the next one",
                number, most - 1);
  Chunk about;
  about.number = number;
  if (source.angles_come ()) {
    if (!std::isfinite (angle))
      sino::fail (SINO_ERROR_BAD_FORMAT, "the angle of a frame is %g, but own-angles is set", angle);
    about.angles = {angle};
  }
  return about;
}

gboolean sino_app_source_push_frame (SinoAppSource *self, const guint8 *data, gsize length, gint64 number,
                                     gdouble angle, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && (data || length == 0), FALSE);
  return sino::guarded (error, [&] {
    auto &source = of (self);
    push_all (self, length, about_frame (source, length, number, angle),
              [&] { return source.copies ().copy (data, length); });
  });
}

static std::shared_ptr<const std::byte> owned (gconstpointer data, GDestroyNotify release, gpointer owner)
{
  return {static_cast<const std::byte *> (data), [release, owner] (const std::byte *) {
            if (release)
              release (owner);
          }};
}

gboolean sino_app_source_push_owned_frame (SinoAppSource *self, gconstpointer data, gsize length, gint64 number,
                                           gdouble angle, GDestroyNotify release, gpointer owner, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && data, FALSE);
  return sino::guarded (error, [&] {
    auto memory = owned (data, release, owner);
    push_all (self, length, about_frame (of (self), length, number, angle), [&memory] { return std::move (memory); });
  });
}

gboolean sino_app_source_push_object_frame (SinoAppSource *self, guint64 address, gsize length, gint64 number,
                                            gdouble angle, GObject *owner, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && address && G_IS_OBJECT (owner), FALSE);
  return sino_app_source_push_owned_frame (self, reinterpret_cast<gconstpointer> (static_cast<guintptr> (address)),
                                           length, number, angle, g_object_unref, g_object_ref (owner), error);
}

gboolean sino_app_source_push_owned (SinoAppSource *self, gconstpointer data, gsize length, GDestroyNotify release,
                                     gpointer owner, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && data, FALSE);
  return sino::guarded (error, [&] {
    auto memory = owned (data, release, owner);
    push_all (self, length, {}, [&memory] { return std::move (memory); });
  });
}

gboolean sino_app_source_push_object (SinoAppSource *self, guint64 address, gsize length, GObject *owner,
                                      GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && address && G_IS_OBJECT (owner), FALSE);
  return sino_app_source_push_owned (self, reinterpret_cast<gconstpointer> (static_cast<guintptr> (address)), length,
                                     g_object_unref, g_object_ref (owner), error);
}

// --- darks and flats ---

static gboolean add (SinoAppSource *self, sino::Extras sino::FrameFeed::*extras, const guint8 *data, gsize length,
                     GError **error)
{
  return sino::guarded (error, [&] {
    auto &source = of (self);
    auto &feed = source.feed ();
    Chunk frames;
    frames.count = source.frames_in (length);
    frames.shape = source.shape ();
    frames.memory = source.copies ().copy (data, length);
    (feed.*extras).add (std::move (frames), feed.queue.next_number ());
  });
}

gboolean sino_app_source_push_darks (SinoAppSource *self, const guint8 *data, gsize length, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && (data || length == 0), FALSE);
  return add (self, &sino::FrameFeed::darks, data, length, error);
}

gboolean sino_app_source_push_flats (SinoAppSource *self, const guint8 *data, gsize length, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && (data || length == 0), FALSE);
  return add (self, &sino::FrameFeed::flats, data, length, error);
}

void sino_app_source_clear_darks_and_flats (SinoAppSource *self)
{
  g_return_if_fail (SINO_IS_APP_SOURCE (self));
  of (self).feed ().darks.clear ();
  of (self).feed ().flats.clear ();
}

// --- the scan ---

void sino_app_source_end_of_stream (SinoAppSource *self)
{
  g_return_if_fail (SINO_IS_APP_SOURCE (self));
  of (self).feed ().queue.end_of_stream ();
}

gboolean sino_app_source_begin (SinoAppSource *self, GError **error)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self), FALSE);
  return sino::guarded (error, [self] {
    auto &feed = of (self).feed ();
    feed.queue.begin ();
    feed.darks.begin ();
    feed.flats.begin ();
  });
}

gint64 sino_app_source_get_current_level_bytes (SinoAppSource *self)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self), 0);
  return of (self).feed ().queue.level ().bytes;
}

gint64 sino_app_source_get_current_level_buffers (SinoAppSource *self)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self), 0);
  return of (self).feed ().queue.level ().buffers;
}

gint64 sino_app_source_get_frames_pushed (SinoAppSource *self)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self), 0);
  return of (self).feed ().queue.level ().pushed;
}

gint64 sino_app_source_get_frames_dropped (SinoAppSource *self)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self), 0);
  return of (self).feed ().queue.level ().dropped;
}

gint64 *sino_app_source_get_missing (SinoAppSource *self, gsize *count)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self) && count, nullptr);
  constexpr size_t most = 65536;
  std::vector<gint64> numbers;
  for (const auto &lost : of (self).feed ().queue.lost ())
    for (auto number = lost.begin; number < lost.end && numbers.size () < most; number++)
      numbers.push_back (number);
  *count = numbers.size ();
  return static_cast<gint64 *> (g_memdup2 (numbers.data (), numbers.size () * sizeof (gint64)));
}

gint64 sino_app_source_get_frames_repeated (SinoAppSource *self)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self), 0);
  return of (self).feed ().queue.level ().repeated;
}

gint64 sino_app_source_get_frames_late (SinoAppSource *self)
{
  g_return_val_if_fail (SINO_IS_APP_SOURCE (self), 0);
  return of (self).feed ().queue.level ().late;
}
