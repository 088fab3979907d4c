/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-error.h"

G_BEGIN_DECLS

#define SINO_TYPE_TASK (sino_task_get_type ())

SINO_PUBLIC
G_DECLARE_DERIVABLE_TYPE (SinoTask, sino_task, SINO, TASK, GObject)

/**
 * SinoTaskClass:
 * @parent_class: the parent
 */
struct _SinoTaskClass {
  GObjectClass parent_class;

  /*< private >*/
  gpointer padding[16];
};

G_END_DECLS
