// SPDX-License-Identifier: LGPL-3.0-or-later
// The line of a reconstruction with its results.
#pragma once
#include "scan/chain.hpp"
#include <filesystem>

namespace sino::scan {

// The folder in which a scan lies, where its results belong, and their usual name there: "scan-slices".
SINO_VISIBLE std::filesystem::path folder_beside (std::string scan);
SINO_VISIBLE std::string usual_output (std::string scan);

// The chain, with nodes that write the slices and a preview into a folder: OUT/slices, OUT/preview.png.
SINO_VISIBLE std::string whole_line (const ScanLine &chain, const Wishes &wishes, const std::string &out);

} // namespace sino::scan
