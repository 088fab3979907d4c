// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads a few rows of some projections, and of darks and flats, before a run.
#pragma once
#include "tasks/files/scan/scan.hpp"

namespace sino::files {

// Null if images can be read only once, or are slices.
std::shared_ptr<const Look> look_at (const Scan &scan);

} // namespace sino::files
