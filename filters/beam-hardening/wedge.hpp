// SPDX-License-Identifier: LGPL-3.0-or-later
// A step wedge that was measured on the same scanner.
#pragma once
#include "filters/beam-hardening/curve.hpp"

namespace sino::beam_hardening {

// The correction from a text file with a line for each step: its thickness in any unit, and its attenuation or
// transmission. Between steps, the thickness is a monotone cubic of the attenuation (F. N. Fritsch and R. E. Carlson,
// SIAM Journal on Numerical Analysis 17, 1980, 238). The thinnest step keeps its value. Throws Error.
Curve wedge_curve (const std::string &path);

} // namespace sino::beam_hardening
