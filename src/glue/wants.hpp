// SPDX-License-Identifier: LGPL-3.0-or-later
// What many filters want of the stream that comes; each throws where it is not so.
#pragma once
#include "stream/format.hpp"

namespace sino {

// Projections, in either order.
SINO_VISIBLE void want_scan (const Format &in);
// Projections, each with all its rows.
SINO_VISIBLE void want_projections (const Format &in);
// Rows that no ramp was applied to.
SINO_VISIBLE void want_unfiltered (const Format &in);

} // namespace sino
