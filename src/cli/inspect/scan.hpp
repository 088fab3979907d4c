// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>

namespace sino::cli {

// What a file or folder holds, what of a scan is missing in it, and the launch line that would reconstruct it. Throws
// Error where it cannot be read.
std::string scan_text (const std::string &path);

} // namespace sino::cli
