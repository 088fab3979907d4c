// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>

namespace sino {

// A digest of the program's own libraries and of all modules that are loaded: another build of any gives another one.
std::string build_of_program ();

} // namespace sino
