/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What makes a shared object a module of nodes. It defines the two symbols below, in one of its files, and lies as
 * NAME.so in a folder of SINOGRAPH_PLUGIN_PATH or in the install folder. Other programs have no use for this header. */
#pragma once

#include "sino-task.h"
#include "sino-version.h"

G_BEGIN_DECLS

/* The number of the interface between the library and modules that use the C headers only: it rises when such a module
 * has to be built again. Modules in C++ are held to the very headers that they were built with (glue/module.hpp). */
#define SINO_MODULE_PREFIX "sinograph-module-api:"
#define SINO_MODULE_API "5"
#define SINO_MODULE_MARK SINO_MODULE_PREFIX SINO_MODULE_API " " SINO_VERSION "\n"

/* `const char sino_module_mark[] = SINO_MODULE_MARK;` It is read from the file before that is loaded, so that no code
 * of a module made for another version ever runs. */
SINO_PUBLIC extern const char sino_module_mark[];

/* Adds a node: lower-case words joined by `-`, and the function that gives its type, derived from SinoTask. The
 * function is called only if no other module has a node of this name. */
typedef void (*SinoModuleAdd) (const gchar *name, GType (*get_type) (void));

/* Called once, when the module is loaded, from any thread; `add` is valid during this call only. */
SINO_PUBLIC void sino_module_register (SinoModuleAdd add);

G_END_DECLS
