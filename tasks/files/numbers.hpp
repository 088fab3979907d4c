// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/image-file.hpp"

namespace sino::files {

using namespace formats;

// Numbers from beside the images; empty when there are not `count` of them. Throws on what is none.
std::vector<double> numbers (const ImageFile &file, const std::string &name, int64_t count);

// The same in degrees, whatever unit they are stored in.
std::vector<double> degrees (const ImageFile &file, const std::string &name, int64_t count);

} // namespace sino::files
