// SPDX-License-Identifier: LGPL-3.0-or-later
// A look at a few rows of a few projections, and of darks and flats.
#pragma once
#include "tasks/files/scan/scan.hpp"

namespace sino::files {

// Null where images can be read once only, or are slices.
std::shared_ptr<const Look> look_at (const Scan &scan);

} // namespace sino::files
