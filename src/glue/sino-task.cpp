// SPDX-License-Identifier: LGPL-3.0-or-later
#include "sino-task.h"

G_DEFINE_ABSTRACT_TYPE (SinoTask, sino_task, G_TYPE_OBJECT)

static void sino_task_init (SinoTask *)
{
}

static void sino_task_class_init (SinoTaskClass *)
{
}
