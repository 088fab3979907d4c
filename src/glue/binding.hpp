// SPDX-License-Identifier: LGPL-3.0-or-later
// Where GObject meets a C++ task: the C++ object lives in the GObject's private data.
#pragma once
#include "base/pointers.hpp"
#include "glue/property.hpp"
#include "glue/task.hpp"
#include "sino-task.h"
#include <new>
#include <string_view>

namespace sino {

struct Info {
  const char *name, *summary;
  const char *type = nullptr; // of the object; null: made of the name
};

// What the library keeps for each registered C++ task type.
struct TaskType {
  Info info;
  GType (*gtype) ();
  std::unique_ptr<Task> (*snapshot) (SinoTask *);
  ObjectPtr<SinoTask> (*copy) (SinoTask *);
};

// The C++ side of a GType, or null for a task written in C or Python.
SINO_INTERNAL const TaskType *task_type (GType type);
SINO_INTERNAL void set_task_type (GType type, const TaskType *info);

// "back-project" -> "SinoBackProject", unless it has a type of its own
SINO_INTERNAL std::string type_name (const Info &info);

template <class T> class Binding
{
  static inline gint offset = 0;
  static inline GObjectClass *parent = nullptr;

  static T *self (gpointer object)
  {
    return std::launder (reinterpret_cast<T *> (static_cast<char *> (object) + offset));
  }

  static void class_init (gpointer klass, gpointer)
  {
    parent = static_cast<GObjectClass *> (g_type_class_peek_parent (klass));
    g_type_class_adjust_private_offset (klass, &offset);
    auto *object_class = G_OBJECT_CLASS (klass);
    object_class->finalize = [] (GObject *o) {
      self (o)->~T ();
      parent->finalize (o);
    };
    if constexpr (requires { T::properties; }) {
      object_class->set_property = [] (GObject *o, guint id, const GValue *v, GParamSpec *spec) {
        T::properties[id - 1].set (self (o), v);
        g_object_notify_by_pspec (o, spec);
      };
      object_class->get_property = [] (GObject *o, guint id, GValue *v, GParamSpec *) {
        T::properties[id - 1].get (self (o), v);
      };
      const T defaults{};
      guint id = 1;
      for (const auto &p : T::properties)
        g_object_class_install_property (object_class, id++, p.spec (p, &defaults, G_OBJECT_CLASS_NAME (klass)));
    }
  }

  static void instance_init (GTypeInstance *instance, gpointer)
  {
    new (reinterpret_cast<char *> (instance) + offset) T{};
  }

public:
  static GType gtype ()
  {
    static_assert (alignof (T) <= 2 * sizeof (gsize), "GLib aligns private data to 16 bytes");
    static const TaskType description{
        {T::info.name, T::info.summary},
        &Binding::gtype,
        [] (SinoTask *task) { return std::unique_ptr<Task> (std::make_unique<T> (*self (task))); },
        [] (SinoTask *task) {
          ObjectPtr<SinoTask> fresh (SINO_TASK (g_object_new (gtype (), nullptr)));
          *self (fresh.get ()) = *self (task);
          return fresh;
        }};
    static const GType type = [] {
      const GTypeInfo info{sizeof (SinoTaskClass), nullptr, nullptr,       class_init, nullptr, nullptr,
                           sizeof (SinoTask),      0,       instance_init, nullptr};
      const GType t = g_type_register_static (SINO_TYPE_TASK, type_name (T::info).c_str (), &info, G_TYPE_FLAG_FINAL);
      offset = g_type_add_instance_private (t, sizeof (T));
      set_task_type (t, &description);
      return t;
    }();
    return type;
  }
};

// One per registered task of a module; SINO_MODULE walks the list.
struct Registration {
  const char *name;
  GType (*gtype) ();
  Registration *next;
  static inline Registration *head = nullptr;

  Registration (const char *n, GType (*g) ()) : name (n), gtype (g), next (head) { head = this; }
};

} // namespace sino

#define SINO_REGISTER(T)                                                                                               \
  [[maybe_unused]] static const sino::Registration registration_##T{T::info.name, sino::Binding<T>::gtype};
