// SPDX-License-Identifier: LGPL-3.0-or-later
// Objects from files.
#pragma once
#include "tasks/objects/ellipsoid.hpp"

namespace sino::objects {

// Reads a JSON list such as [{"centre": [0, 0.5], "half-axes": [0.2, 0.1], "rotation": 30, "value": 1}]. Errors name
// the place in the file.
Object read_object (const std::string &path);

} // namespace sino::objects
