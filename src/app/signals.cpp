// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/signals.hpp"

namespace sino::app {

guint new_signal (GType type, const char *name, GType value)
{
  const guint arguments = value == G_TYPE_NONE ? 0 : 1;
  return g_signal_newv (name, type, G_SIGNAL_RUN_LAST, nullptr, nullptr, nullptr, nullptr, G_TYPE_NONE, arguments,
                        &value);
}

struct Post::Place {
  GWeakRef object;
  GMainContext *const context = g_main_context_ref_thread_default ();

  explicit Place (GObject *o) { g_weak_ref_init (&object, o); }
  ~Place ()
  {
    g_weak_ref_clear (&object);
    g_main_context_unref (context);
  }
  Place (const Place &) = delete;
  Place &operator= (const Place &) = delete;
};

Post::Post (GObject *object) : place (std::make_shared<Place> (object)) {}

namespace {

struct Letter {
  GObject *object;
  guint signal;
  int64_t value;
  bool has_value;
};

gboolean emit (gpointer data)
{
  const auto *letter = static_cast<Letter *> (data);
  if (letter->has_value)
    g_signal_emit (letter->object, letter->signal, 0, static_cast<gint64> (letter->value));
  else
    g_signal_emit (letter->object, letter->signal, 0);
  return G_SOURCE_REMOVE;
}

void drop (gpointer data)
{
  const auto *letter = static_cast<Letter *> (data);
  g_object_unref (letter->object);
  delete letter;
}

void post (GWeakRef &reference, GMainContext *context, guint signal, int64_t value, bool has_value)
{
  auto *object = static_cast<GObject *> (g_weak_ref_get (&reference));
  if (!object)
    return;
  if (!g_signal_has_handler_pending (object, signal, 0, FALSE)) {
    g_object_unref (object);
    return;
  }
  auto *source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, emit,
                         new Letter{.object = object, .signal = signal, .value = value, .has_value = has_value}, drop);
  g_source_attach (source, context);
  g_source_unref (source);
}

} // namespace

void Post::send (guint signal) const
{
  post (place->object, place->context, signal, 0, false);
}

void Post::send (guint signal, int64_t value) const
{
  post (place->object, place->context, signal, value, true);
}

} // namespace sino::app
