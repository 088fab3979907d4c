// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace sino {

// SHA-256 of the text, as 64 hexadecimal digits.
std::string sha256_of (std::string_view text);
// The first 16 digits of sha256_of (), to tell texts apart.
std::string digest_of (std::string_view text);

} // namespace sino
