// SPDX-License-Identifier: LGPL-3.0-or-later
// Presents sinograms as projections, because nodes for fan and cone beams accept only those.
#pragma once
#include "formats/stack.hpp"
#include <memory>

namespace sino::files {

using namespace formats;

// The stack with pages and lines exchanged.
std::shared_ptr<const Stack> turned (std::shared_ptr<const Stack> stack);

} // namespace sino::files
