// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>

namespace sino::cli {

// Describes a file or folder: its content, missing parts of a scan, and a launch line that would reconstruct it. Throws
// Error if it cannot be read.
std::string scan_text (const std::string &path);

} // namespace sino::cli
