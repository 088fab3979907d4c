// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace sino {

// The text's SHA-256 in 64 digits.
std::string sha256_of (std::string_view text);
// 16 digits of it; different texts give different digits.
std::string digest_of (std::string_view text);

} // namespace sino
