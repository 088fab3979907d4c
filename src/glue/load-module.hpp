// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "api/sino-module.h"
#include <string>

namespace sino {

// Loads a shared object for good and lets it add its nodes. Throws what is wrong with it.
void load_module (const std::string &path, SinoModuleAdd add);

} // namespace sino
