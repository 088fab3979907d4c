// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "plan/net.hpp"

namespace sino {

// Throws when two sinks, or a sink and the trace or report ("": none), would write the same file, when one of them
// would replace a file that is read, and when the trace cannot be written.
void check_writers (const Net &net, const std::string &trace, const std::string &report);

} // namespace sino
