// SPDX-License-Identifier: LGPL-3.0-or-later
// Values that stick out of those around them.
#pragma once
#include "stream/element.hpp"
#include <cstdint>

namespace sino::remove_outliers {

enum class Sign { bright, dark, both };

// Keeps of the medians those of which the value differs by more than `threshold`, and puts the values in the place of
// the others. Gives back how many it kept. What is no number differs from nothing.
int64_t replace_outliers (Element element, const void *values, int64_t n, Sign sign, float threshold, void *medians);

} // namespace sino::remove_outliers
