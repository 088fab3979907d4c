// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/signals.hpp"
#include "api/sino-object-ptr.hpp"

namespace sino::app {

guint new_signal (GType type, const char *name, GType value)
{
  const guint arguments = value == G_TYPE_NONE ? 0 : 1;
  return g_signal_newv (name, type, G_SIGNAL_RUN_LAST, nullptr, nullptr, nullptr, nullptr, G_TYPE_NONE, arguments,
                        &value);
}

struct Post::Place : NoCopy {
  GWeakRef object;
  GMainContext *const context = g_main_context_ref_thread_default ();

  explicit Place (GObject *o) { g_weak_ref_init (&object, o); }
  ~Place ()
  {
    g_weak_ref_clear (&object);
    g_main_context_unref (context);
  }
};

Post::Post (GObject *object) : place (std::make_shared<Place> (object)) {}

void call_in (GMainContext *context, std::function<void ()> body)
{
  using Body = std::function<void ()>;
  const auto call = [] (gpointer data) -> gboolean {
    (*static_cast<Body *> (data)) ();
    return G_SOURCE_REMOVE;
  };
  auto *source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, call, new Body (std::move (body)),
                         [] (gpointer data) { delete static_cast<Body *> (data); });
  g_source_attach (source, context);
  g_source_unref (source);
}

void Post::send (guint signal, int64_t value) const
{
  GObjectPtr<GObject> object (static_cast<GObject *> (g_weak_ref_get (&place->object)));
  if (object && g_signal_has_handler_pending (object.get (), signal, 0, FALSE))
    call_in (place->context, [object = std::move (object), signal, value] {
      // Signals without an argument ignore the value.
      g_signal_emit (object.get (), signal, 0, static_cast<gint64> (value));
    });
}

} // namespace sino::app
