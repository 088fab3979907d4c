// SPDX-License-Identifier: LGPL-3.0-or-later
// Objects by name, or from files.
#pragma once
#include "tasks/objects/ellipsoid.hpp"
#include <string>

namespace sino::objects {

// An object by name, or from a JSON list. Throws if it is neither or wrong.
Object load_object (const std::string &name);

} // namespace sino::objects
