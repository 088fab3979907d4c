// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians along a line, of values as integers that are ordered as they are (keys): NaN is the greatest, -0 comes before
// 0. A key has the size of its value.
#pragma once
#include "kernels/median/window.hpp"
#include "stream/element.hpp"
#include <span>

namespace sino::median {

// Whether there are NaNs among them.
bool median_keys (Element element, const void *values, int64_t n, void *keys);
// Back from keys; every NaN is the same one then.
void median_values (Element element, const void *keys, int64_t n, void *values);

// The medians of keys, as values. `lines`: SIZE of them; in a square, they begin (SIZE - 1) / 2 columns before and end
// as many behind, `step` values from one to the next. 1024 bytes more can be read. `nans`: there are some, which
// windows leave out; of an even number of keys that remain, the lower one in the middle is the median.
void median_line (Element element, MedianWindow window, std::span<const std::byte *const> lines, bool nans,
                  int64_t step, int64_t n, std::byte *scratch, void *values);

// Minima and maxima that a median takes.
int median_operations (MedianWindow window);

// Bytes of `scratch`.
size_t median_scratch (Element element, MedianWindow window, int64_t step);

} // namespace sino::median
