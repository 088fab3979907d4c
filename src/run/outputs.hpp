// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "run/net.hpp"

namespace sino {

// Throws when two sinks would write the same file.
void check_outputs (const Net &net);

} // namespace sino
