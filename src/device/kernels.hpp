// SPDX-License-Identifier: LGPL-3.0-or-later
// Where kernel sources come from. They are built into the modules, so that no installed file can be missing.
#pragma once
#include "base/visibility.hpp"
#include <string>

namespace sino {

// The source of `name` ("back-project/reference.cl"): the file in the folder SINOGRAPH_KERNEL_PATH where it is set and
// has it (to work on a kernel without building), else `built_in`.
SINO_INTERNAL std::string kernel_source (const std::string &name, const char *built_in);

} // namespace sino
