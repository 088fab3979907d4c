// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-task.h"
#include "glue/binding.hpp"
#include "glue/foreign-traits.hpp"
#include <algorithm>

namespace {

// Traits of a node in C or Python, made when they are first needed. Nodes in C++, which may be very many, need none.
struct TaskContents {
  std::once_flag asked;
  std::unique_ptr<sino::ForeignTraits> traits;

  static void add_signals (GType type)
  {
    g_signal_new ("new-picture", type, G_SIGNAL_RUN_LAST, 0, nullptr, nullptr, nullptr, G_TYPE_NONE, 2, G_TYPE_INT,
                  G_TYPE_INT64);
  }
};

} // namespace

GType sino_task_get_type (void)
{
  return sino::Held<TaskContents>::gtype ("SinoTask", G_TYPE_OBJECT, G_TYPE_FLAG_ABSTRACT, sizeof (SinoTaskClass));
}

namespace sino {

ForeignTraits &foreign_traits (SinoTask *task)
{
  auto &contents = Held<TaskContents>::of (task);
  std::call_once (contents.asked, [&contents] { contents.traits = std::make_unique<ForeignTraits> (); });
  return *contents.traits;
}

} // namespace sino

static bool is_foreign (SinoTask *self)
{
  return SINO_IS_TASK (self) && !sino::task_type (G_OBJECT_TYPE (self));
}

static bool is_connected (SinoTask *self)
{
  return sino::foreign_traits (self).settled;
}

void sino_task_set_flow (SinoTask *self, SinoFlow flow)
{
  g_return_if_fail (is_foreign (self));
  g_return_if_fail (!is_connected (self));
  g_return_if_fail (flow >= SINO_FLOW_POINT && flow <= SINO_FLOW_SINK);
  sino::foreign_traits (self).flow = flow;
}

SinoFlow sino_task_get_flow (SinoTask *self)
{
  g_return_val_if_fail (is_foreign (self), SINO_FLOW_POINT);
  return sino::foreign_traits (self).flow;
}

static void add_inputs (std::vector<sino::Port> &ports, const gchar *const *names, bool optional)
{
  for (; names && *names; names++)
    ports.push_back ({g_intern_string (*names), optional});
}

void sino_task_set_inputs (SinoTask *self, const gchar *const *required, const gchar *const *optional)
{
  g_return_if_fail (is_foreign (self));
  g_return_if_fail (!is_connected (self));
  g_return_if_fail (required && *required);
  auto &ports = sino::foreign_traits (self).inputs;
  ports.clear ();
  add_inputs (ports, required, false);
  add_inputs (ports, optional, true);
}

void sino_task_set_live (SinoTask *self, const gchar *const *properties)
{
  g_return_if_fail (is_foreign (self));
  g_return_if_fail (!is_connected (self));
  auto &live = sino::foreign_traits (self).live;
  live.clear ();
  for (; properties && *properties; properties++) {
    live.emplace_back (*properties);
    std::replace (live.back ().begin (), live.back ().end (), '_', '-'); // GObject writes names of properties with '-'
  }
}

void sino_task_set_open_ended (SinoTask *self, gboolean open_ended)
{
  g_return_if_fail (is_foreign (self));
  g_return_if_fail (!is_connected (self));
  sino::foreign_traits (self).open_end = open_ended ? std::make_unique<sino::OpenEnd> () : nullptr;
}

void sino_task_end_of_stream (SinoTask *self)
{
  g_return_if_fail (is_foreign (self));
  g_return_if_fail (sino::foreign_traits (self).flow == SINO_FLOW_SOURCE_ONCE);
  sino::foreign_traits (self).ended = true;
}

void sino_task_set_replicable (SinoTask *self, gboolean replicable)
{
  g_return_if_fail (is_foreign (self));
  g_return_if_fail (!is_connected (self));
  sino::foreign_traits (self).replicable = replicable;
}
