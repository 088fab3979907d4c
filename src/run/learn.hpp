// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

struct RunContext;

// Keeps what a run that has succeeded shows of the speed of its devices, for the plans of later runs.
void learn (const RunContext &context) noexcept;

} // namespace sino
