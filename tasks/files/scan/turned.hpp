// SPDX-License-Identifier: LGPL-3.0-or-later
// Sinograms as projections: nodes for fan and cone beams take those only.
#pragma once
#include "formats/stack.hpp"
#include <memory>

namespace sino::files {

using namespace formats;

// The stack with its pages as lines, and its lines as pages.
std::shared_ptr<const Stack> turned (std::shared_ptr<const Stack> stack);

} // namespace sino::files
