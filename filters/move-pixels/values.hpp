// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads values of any element type as floats.
#pragma once
#include "stream/element.hpp"
#include <cstddef>
#include <cstdint>

namespace sino::move_pixels {

void add_values (Element element, const std::byte *from, int64_t count, float *to);
void load_values (Element element, const std::byte *from, int64_t count, float *to);

} // namespace sino::move_pixels
