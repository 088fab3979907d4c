// SPDX-License-Identifier: LGPL-3.0-or-later
// The project's own modules: what SINO_REGISTER collected becomes the nodes of a module, and the formats of files
// that it has (formats/formats.hpp) come with them.
#pragma once
#include "api/sino-module.h"
#include "glue/binding.hpp"
#include "glue/registry.hpp"

// Once per module, in a file of its own.
#define SINO_MODULE                                                                                                    \
  const char sino_module_mark[] = SINO_MODULE_MARK;                                                                    \
  void sino_module_register (SinoModuleAdd add)                                                                        \
  {                                                                                                                    \
    for (auto *r = sino::Registration::head; r; r = r->next)                                                           \
      add (r->name, r->gtype);                                                                                         \
    sino::Registry::add_formats (sino::formats::AnyFormat::head);                                                      \
  }
