// SPDX-License-Identifier: LGPL-3.0-or-later
// Files that are not read, known by their first bytes.
#pragma once
#include "formats/descriptor.hpp"

namespace sino::files {

// "a ZIP archive: unpack it", what the file is and what to do with it; "" when that is not known.
std::string known_by_bytes (const formats::Descriptor &file);

} // namespace sino::files
