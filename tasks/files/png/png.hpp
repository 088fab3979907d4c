// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::files {

// Makes a PNG file of grey values with `bits` bits, 8 or 16. Values of 8 bits are in the low byte of each number.
std::vector<std::byte> png (const std::vector<uint16_t> &values, int64_t lines, int64_t columns, int bits);

} // namespace sino::files
