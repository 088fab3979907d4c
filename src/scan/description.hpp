// SPDX-License-Identifier: LGPL-3.0-or-later
// The file in a folder that describes a scan, as laboratory scanners write it beside their images.
#pragma once
#include <string>

namespace sino::scan {

// Its path; "" if there is none. Throws Error if there are several.
std::string description_in (const std::string &folder);

} // namespace sino::scan
