// SPDX-License-Identifier: LGPL-3.0-or-later
// Wavelets of I. Daubechies (Communications on Pure and Applied Mathematics 41, 1988, 909).
#pragma once
#include <span>

namespace sino::remove_stripes {

// The scaling filter of the wavelet with `moments` vanishing moments: 2 * moments numbers.
std::span<const double> daubechies (int moments);

} // namespace sino::remove_stripes
