// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sino::files {

// Makes a PNG file of grey values with `bits` bits, 8 or 16. Values of 8 bits are in the low byte of each number.
// `metres`: distances of lines and columns, which the file keeps; 0: unknown.
std::vector<std::byte> png (const std::vector<uint16_t> &values, int64_t lines, int64_t columns, int bits,
                            const std::array<double, 2> &metres = {});

} // namespace sino::files
