// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>

namespace sino {

// A digest of the program's own libraries and of all loaded modules. It changes if one of them is built again.
std::string build_of_program ();

} // namespace sino
