// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the format for an output path.
#pragma once
#include "formats/formats.hpp"

namespace sino::formats {

// The format of the suffix. Throws if there is none, the number in the path does not suit it, or it does not support
// this compression.
SINO_VISIBLE const WritingFormat &output_format (const std::string &path, const Pattern &pattern,
                                                 Compression compression);

SINO_VISIBLE const char *name_of (Compression compression); // "deflate"

// Throws if the format cannot store the stream.
SINO_VISIBLE void check_holds (const WritingFormat &format, const Planned &planned, const std::string &path);

// Throws if a name has a value, and the stream has none for each image, or two images would have one name.
SINO_VISIBLE void check_values_in_name (const Planned &planned, const std::string &path);

// All files that will be written.
SINO_VISIBLE std::vector<std::string> output_paths (const WritingFormat &format, const Planned &planned);

} // namespace sino::formats
