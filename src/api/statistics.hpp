// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "run/run.hpp"

namespace sino {

// Returns the statistics in the form that SinoRunner documents, as a new reference.
SINO_VISIBLE GVariant *to_variant (const RunStatistics &statistics);

} // namespace sino
