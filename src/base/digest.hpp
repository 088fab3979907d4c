// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace sino {

// 16 digits that another text has not: of its SHA-256.
std::string digest_of (std::string_view text);

} // namespace sino
