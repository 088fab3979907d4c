// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "api/sino-module.h"
#include <string>

namespace sino {

// Loads a shared object permanently and lets it add its nodes. Throws the reason if it cannot.
void load_module (const std::string &path, SinoModuleAdd add);

} // namespace sino
