// SPDX-License-Identifier: LGPL-3.0-or-later
// What the OME-XML in the description of a TIFF file says of its images.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace sino::files {

// The distance of columns in mm; nothing where the description is no OME-XML, or does not say it. `messages` gets what
// is wrong with it; `title` is the file, for them.
std::optional<double> ome_pixel_size (const std::string &description, const std::string &title,
                                      std::vector<std::string> &messages);

} // namespace sino::files
