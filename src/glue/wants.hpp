// SPDX-License-Identifier: LGPL-3.0-or-later
// Checks of input formats that many filters need; each throws if the check fails.
#pragma once
#include "stream/format.hpp"

namespace sino {

// Projections or sinograms.
SINO_VISIBLE void want_scan (const Format &in);
// Projections, each with all its rows.
SINO_VISIBLE void want_projections (const Format &in);
// Rows to which no ramp filter was applied.
SINO_VISIBLE void want_unfiltered (const Format &in);

} // namespace sino
