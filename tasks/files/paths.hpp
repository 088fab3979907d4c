// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sino::files {

// Whether a comes before b when runs of digits count as numbers: raw_2 before raw_10.
bool natural_less (std::string_view a, std::string_view b);

// The TIFF files of a folder, or the files that a pattern with * and ? matches, in natural order. Throws when there
// are none.
std::vector<std::string> find_images (const std::string &path);

} // namespace sino::files
