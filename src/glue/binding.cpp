// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/binding.hpp"

namespace sino {

static GQuark quark ()
{
  static const GQuark q = g_quark_from_static_string ("sino-task-type");
  return q;
}

const TaskType *task_type (GType type)
{
  return static_cast<const TaskType *> (g_type_get_qdata (type, quark ()));
}

void set_task_type (GType type, const TaskType *info)
{
  g_type_set_qdata (type, quark (), const_cast<TaskType *> (info));
}

std::string type_name (const Info &info)
{
  if (info.type)
    return info.type;
  std::string name = "Sino";
  bool up = true;
  for (const char c : std::string_view (info.name)) {
    if (c != '-')
      name += up ? g_ascii_toupper (c) : c;
    up = c == '-';
  }
  return name;
}

} // namespace sino
