// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/program/signals.hpp"
#include "api/sino-object-ptr.hpp"
#include <map>
#include <mutex>

namespace sino {

guint new_signal (GType type, const char *name, GType value)
{
  const guint arguments = value == G_TYPE_NONE ? 0 : 1;
  return g_signal_newv (name, type, G_SIGNAL_RUN_LAST, nullptr, nullptr, nullptr, nullptr, G_TYPE_NONE, arguments,
                        &value);
}

// An object and the main context for its signals.
struct SignalPlace : NoCopy {
  GWeakRef object;
  GMainContext *const context = g_main_context_ref_thread_default ();

  explicit SignalPlace (GObject *o) { g_weak_ref_init (&object, o); }
  ~SignalPlace ()
  {
    g_weak_ref_clear (&object);
    g_main_context_unref (context);
  }

  // The object, if it exists and somebody listens.
  GObjectPtr<GObject> listened (guint signal)
  {
    GObjectPtr<GObject> found (static_cast<GObject *> (g_weak_ref_get (&object)));
    return found && g_signal_has_handler_pending (found.get (), signal, 0, FALSE) ? found : GObjectPtr<GObject> ();
  }
};

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

Post::Post (GObject *object) : place (std::make_shared<SignalPlace> (object)) {}

void Post::send (guint signal, int64_t value) const
{
  if (auto object = place->listened (signal))
    call_in (place->context, [object = std::move (object), signal, value] {
      // Signals without an argument ignore the value.
      g_signal_emit (object.get (), signal, 0, static_cast<gint64> (value));
    });
}

// --- only the newest ---

struct NewestPost::State {
  SignalPlace place;
  const guint signal;
  std::mutex mutex;
  std::map<int, int64_t> untold; // the newest value of each number, while a call waits for the main context
};

NewestPost::NewestPost (GObject *object, const char *signal)
    : state (new State{.place = SignalPlace (object),
                       .signal = g_signal_lookup (signal, G_OBJECT_TYPE (object)),
                       .mutex = {},
                       .untold = {}})
{
}

void NewestPost::send (int number, int64_t value) const
{
  auto object = state->place.listened (state->signal);
  if (!object)
    return;
  {
    const std::lock_guard guard (state->mutex);
    const bool waits = !state->untold.empty ();
    state->untold[number] = value;
    if (waits)
      return;
  }
  call_in (state->place.context, [object = std::move (object), state = state] {
    std::map<int, int64_t> news;
    {
      const std::lock_guard guard (state->mutex);
      news.swap (state->untold);
    }
    for (const auto &[each, newest] : news)
      g_signal_emit (object.get (), state->signal, 0, each, static_cast<gint64> (newest));
  });
}

} // namespace sino
