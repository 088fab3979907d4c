// SPDX-License-Identifier: LGPL-3.0-or-later
// Stores C++ objects in GObjects: a T lies in the private data of a GObject and is constructed and destroyed with it.
// Its property table, if it has one, defines the type's properties. GLib callbacks must not throw, so exceptions are
// caught there. T::made (object), if it exists, is called for each new object.
#pragma once
#include "glue/boundary.hpp"
#include "glue/property.hpp"
#include <exception>
#include <new>
#include <optional>

namespace sino {

// A T belongs to one GType only.
template <class T> class Held
{
public:
  // The T of an object; rethrows what T's constructor threw.
  static T &of (gpointer object)
  {
    auto &place = *std::launder (static_cast<Place *> (address (object)));
    if (!place.value)
      std::rethrow_exception (place.failure);
    return *place.value;
  }

  // The type, registered at the first call. `class_size`: set it if functions are added to the parent's class.
  static GType gtype (const char *name, GType parent_type = G_TYPE_OBJECT, GTypeFlags flags = G_TYPE_FLAG_FINAL,
                      gsize class_size = 0)
  {
    static const GType type = [=] {
      GTypeQuery query;
      g_type_query (parent_type, &query);
      const auto size = static_cast<guint16> (class_size ? class_size : query.class_size);
      const GTypeInfo info{
          size, nullptr, nullptr, class_init, nullptr, nullptr, static_cast<guint16> (query.instance_size),
          0,    init,    nullptr};
      const GType fresh = g_type_register_static (parent_type, name, &info, flags);
      offset = g_type_add_instance_private (fresh, sizeof (Place));
      return fresh;
    }();
    return type;
  }

private:
  struct Place {
    std::optional<T> value;
    std::exception_ptr failure; // why there is no value
  };
  static_assert (alignof (Place) <= 2 * sizeof (gsize), "GLib aligns private data to 16 bytes");

  static inline gint offset = 0;
  static inline GObjectClass *parent = nullptr;

  static void *address (gpointer object) { return static_cast<char *> (object) + offset; }

  static void init (GTypeInstance *instance, gpointer) noexcept
  {
    auto *place = new (address (instance)) Place;
    try {
      place->value.emplace ();
      if constexpr (requires { place->value->made (static_cast<GObject *> (nullptr)); })
        place->value->made (reinterpret_cast<GObject *> (instance));
    } catch (...) {
      place->failure = std::current_exception ();
    }
  }

  static void class_init (gpointer klass, gpointer) noexcept
  {
    parent = static_cast<GObjectClass *> (g_type_class_peek_parent (klass));
    g_type_class_adjust_private_offset (klass, &offset);
    auto *object_class = static_cast<GObjectClass *> (klass);
    object_class->finalize = [] (GObject *o) {
      std::launder (static_cast<Place *> (address (o)))->~Place ();
      parent->finalize (o);
    };
    if constexpr (requires { T::properties; })
      reported (G_OBJECT_CLASS_NAME (klass), "its properties are not available", [=] { install (object_class); });
    if constexpr (requires { T::add_signals (GType{}); })
      T::add_signals (G_TYPE_FROM_CLASS (klass));
  }

  static void install (GObjectClass *klass)
  {
    klass->set_property = [] (GObject *o, guint id, const GValue *v, GParamSpec *spec) {
      bool changed = false;
      reported (G_OBJECT_TYPE_NAME (o), spec->name, [&] { changed = T::properties[id - 1].set (&of (o), v); });
      if (changed)
        g_object_notify_by_pspec (o, spec);
    };
    klass->get_property = [] (GObject *o, guint id, GValue *v, GParamSpec *spec) {
      reported (G_OBJECT_TYPE_NAME (o), spec->name, [&] { T::properties[id - 1].get (&of (o), v); });
    };
    const T defaults{};
    guint id = 1;
    for (const auto &p : T::properties)
      g_object_class_install_property (klass, id++, p.spec (p, &defaults, G_OBJECT_CLASS_NAME (klass)));
  }
};

} // namespace sino
