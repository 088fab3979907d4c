// SPDX-License-Identifier: LGPL-3.0-or-later
// Recognises files of unsupported formats by their first bytes.
#pragma once
#include "formats/descriptor.hpp"

namespace sino::files {

// "a ZIP archive: unpack it", the kind of file and advice; "" if unknown.
std::string known_by_bytes (const formats::Descriptor &file);

} // namespace sino::files
