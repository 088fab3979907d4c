// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces values that differ from those around them.
#pragma once
#include "stream/element.hpp"
#include <cstdint>

namespace sino::remove_outliers {

enum class Sign { bright, dark, both };

// Computes the output in `medians`: keeps a median if the value differs from it by more than `threshold`, else replaces
// it by the value. Returns the number of medians kept. NaN never differs.
int64_t replace_outliers (Element element, const void *values, int64_t n, Sign sign, float threshold, void *medians);

} // namespace sino::remove_outliers
