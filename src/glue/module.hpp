// SPDX-License-Identifier: LGPL-3.0-or-later
// What makes a shared object a module of nodes. The mark is read from the file before it is loaded, so that no code
// of a module for another version ever runs.
#pragma once
#include "glue/binding.hpp"

#define SINO_MODULE_MARK "sinograph-module-api:"
#define SINO_MODULE_API "1"

// Once per module, in a file of its own.
#define SINO_MODULE                                                                                                    \
  extern "C" __attribute__ ((visibility ("default"), used)) const char sino_module_mark[] =                            \
      SINO_MODULE_MARK SINO_MODULE_API "\n";                                                                           \
  extern "C" __attribute__ ((visibility ("default"))) void sino_module_register (void (*add) (const char *, GType))    \
  {                                                                                                                    \
    for (auto *r = sino::Registration::head; r; r = r->next)                                                           \
      add (r->name, r->gtype ());                                                                                      \
  }
