// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes a shared object a C++ module: the tasks that SINO_REGISTER has collected become its nodes, and its file formats
// are added. Its mark contains the number of the C interface and a hash of these headers, because C++ classes may
// change in any version.
#pragma once
#include "api/sino-module.h"
#include "glue/build-mark.hpp"
#include "glue/module.hpp"

// Use it once per module, in any of its files.
#define SINO_MODULE                                                                                                    \
  const char sino_module_mark[] = SINO_MODULE_PREFIX SINO_MODULE_API " " SINO_VERSION " " SINO_BUILD "\n";             \
  void sino_module_register (SinoModuleAdd add)                                                                        \
  {                                                                                                                    \
    for (auto *r = sino::Registration::head; r; r = r->next)                                                           \
      add (r->name, r->gtype);                                                                                         \
    sino::Registry::add_formats (sino::formats::AnyFormat::head);                                                      \
  }
