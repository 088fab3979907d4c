// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes a task's C++ description, which a run works with, from the GObject that the user sees.
#include "graph/snapshot.hpp"
#include "glue/binding.hpp"
#include "glue/foreign.hpp"

namespace sino {

std::unique_ptr<Task> snapshot (SinoTask *task)
{
  const auto *type = task_type (G_OBJECT_TYPE (task));
  return type ? type->snapshot (task) : std::make_unique<ForeignTask> (task);
}

ObjectPtr<SinoTask> copy (SinoTask *task)
{
  const auto *type = task_type (G_OBJECT_TYPE (task));
  return type ? type->copy (task) : ObjectPtr<SinoTask> (SINO_TASK (g_object_ref (task)));
}

std::vector<Port> input_ports (SinoTask *task)
{
  const auto description = snapshot (task);
  const auto ports = description->inputs ();
  return {ports.begin (), ports.end ()};
}

bool has_output (SinoTask *task)
{
  return snapshot (task)->has_output ();
}

} // namespace sino
