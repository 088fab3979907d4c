// SPDX-License-Identifier: LGPL-3.0-or-later
// The connection between a GObject and a C++ task.
#pragma once
#include "api/sino-task.h"
#include "base/pointers.hpp"
#include "glue/held.hpp"
#include "glue/task.hpp"
#include <string_view>

namespace sino {

struct Info {
  const char *name, *summary;
  const char *type = nullptr; // type of the object; null: derived from the name
};

// Data that the library keeps for each registered C++ task type.
struct TaskType {
  Info info;
  GType (*gtype) ();
  std::unique_ptr<Task> (*snapshot) (SinoTask *);
  ObjectPtr<SinoTask> (*copy) (SinoTask *);
};

// The C++ description of a GType, or null for a task written in C or Python.
SINO_VISIBLE const TaskType *task_type (GType type);
SINO_VISIBLE void set_task_type (GType type, const TaskType *info);

// "back-project" -> "SinoBackProject", unless the type is given
SINO_VISIBLE std::string type_name (const Info &info);

template <class T> struct Binding {
  static GType gtype ()
  {
    static const TaskType description{{T::info.name, T::info.summary}, gtype, snapshot, copy};
    static const GType type = [] {
      const GType fresh = Held<T>::gtype (type_name (T::info).c_str (), SINO_TYPE_TASK);
      set_task_type (fresh, &description);
      return fresh;
    }();
    return type;
  }

private:
  static std::unique_ptr<Task> snapshot (SinoTask *task)
  {
    auto made = std::make_unique<T> (Held<T>::of (task));
    if constexpr (requires { T::signature; })
      made->stated_signature = &T::signature;
    return made;
  }
  static ObjectPtr<SinoTask> copy (SinoTask *task)
  {
    ObjectPtr<SinoTask> fresh (SINO_TASK (g_object_new (gtype (), nullptr)));
    Held<T>::of (fresh.get ()) = Held<T>::of (task);
    return fresh;
  }
};

// One per registered task of a module; SINO_MODULE walks the list.
struct Registration {
  const char *name;
  GType (*gtype) ();
  Registration *next;
  [[gnu::visibility ("hidden")]] static inline Registration *head = nullptr; // each module has its own

  Registration (const char *n, GType (*g) ()) : name (n), gtype (g), next (head) { head = this; }
};

} // namespace sino

#define SINO_REGISTER(T)                                                                                               \
  [[maybe_unused]] static const sino::Registration registration_##T{T::info.name, sino::Binding<T>::gtype};
