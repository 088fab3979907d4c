// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace sino {

// 16 digits of the text's SHA-256; different texts give different digits.
std::string digest_of (std::string_view text);

} // namespace sino
