// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians along a line, of values as integers in the same order (keys): NaN is the greatest, -0 comes before 0. A key
// has the size of its value.
#pragma once
#include "kernels/median/window.hpp"
#include "stream/element.hpp"
#include <span>

namespace sino::median {

// Converts values to keys; returns whether there are NaNs.
bool median_keys (Element element, const void *values, int64_t n, void *keys);
// Converts keys back to values; all NaNs become equal.
void median_values (Element element, const void *keys, int64_t n, void *values);

// Computes medians of keys, as values. `lines`: SIZE lines. In a square window, lines begin (SIZE - 1) / 2 columns
// before the values and end as many after them; `step`: distance of columns. 1024 bytes after the end must be readable.
// `nans`: keys include NaNs, which windows leave out; of an even number of remaining keys, the median is the lower one
// in the middle.
void median_line (Element element, MedianWindow window, std::span<const std::byte *const> lines, bool nans,
                  int64_t step, int64_t n, std::byte *scratch, void *values);

// Minima and maxima per median.
int median_operations (MedianWindow window);

// Bytes of `scratch`.
size_t median_scratch (Element element, MedianWindow window, int64_t step);

} // namespace sino::median
