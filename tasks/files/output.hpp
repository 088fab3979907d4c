// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the format that is written to a path.
#pragma once
#include "formats/formats.hpp"

namespace sino::files {

using namespace formats;

// The format that has the suffix. Throws when there is none, the path's number does not suit it, or it is not
// compressed in this way.
const WritingFormat &output_format (const std::string &path, const Pattern &pattern, Compression compression);

const char *name_of (Compression compression); // "deflate"

// Throws when the format cannot hold what is to be written.
void check_holds (const WritingFormat &format, const Planned &planned, const std::string &path);

// The files that will be written.
std::vector<std::string> output_paths (const WritingFormat &format, const Planned &planned);

} // namespace sino::files
