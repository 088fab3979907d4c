// SPDX-License-Identifier: LGPL-3.0-or-later
// Identifies the headers that the library was built with.
#pragma once

namespace sino {

// A hash of the headers that C++ modules are compiled with.
const char *build_of_headers ();

} // namespace sino
