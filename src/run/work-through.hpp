// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "run/run-state.hpp"

namespace sino {

// Makes the surveys of a prepared run, plans again with what they found, and runs all passes. `at_work` is called about
// ten times a second. Throws what fails, and Cancelled.
void work_through (const std::shared_ptr<RunState> &state, const std::function<void ()> &at_work);

} // namespace sino
