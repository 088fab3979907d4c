// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "run/run.hpp"

namespace sino {

// Returns them as SinoRunner documents them; a new reference.
SINO_VISIBLE GVariant *to_variant (const RunStatistics &statistics);

} // namespace sino
