// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes a shared object a C++ module: the tasks collected by SINO_REGISTER become its nodes; its file formats are added
// as well. Its mark contains the build of these headers besides the number of the C interface, because classes change
// without notice.
#pragma once
#include "api/sino-module.h"
#include "glue/build-mark.hpp"
#include "glue/module.hpp"

// Once per module, in any of its files.
#define SINO_MODULE                                                                                                    \
  const char sino_module_mark[] = SINO_MODULE_PREFIX SINO_MODULE_API " " SINO_VERSION " " SINO_BUILD "\n";             \
  void sino_module_register (SinoModuleAdd add)                                                                        \
  {                                                                                                                    \
    for (auto *r = sino::Registration::head; r; r = r->next)                                                           \
      add (r->name, r->gtype);                                                                                         \
    sino::Registry::add_formats (sino::formats::AnyFormat::head);                                                      \
  }
