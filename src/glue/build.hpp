// SPDX-License-Identifier: LGPL-3.0-or-later
// Which headers the library was built with.
#pragma once

namespace sino {

// A hash of those that modules in C++ are compiled with.
const char *build_of_headers ();

} // namespace sino
