// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads the OME-XML in the description of a TIFF file.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace sino::files {

// The distance of columns in mm; nothing if the description is no OME-XML, or does not give it. `messages` gets errors
// in it; `title`: the file, for messages.
std::optional<double> ome_pixel_size (const std::string &description, const std::string &title,
                                      std::vector<std::string> &messages);

} // namespace sino::files
