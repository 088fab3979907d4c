// SPDX-License-Identifier: LGPL-3.0-or-later
// The objects that have names.
#pragma once
#include "tasks/objects/ellipsoid.hpp"

namespace sino::objects {

// An object by name, or from a JSON list. Throws what is wrong with it.
Object load_object (const std::string &name);

} // namespace sino::objects
