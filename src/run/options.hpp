// SPDX-License-Identifier: LGPL-3.0-or-later
// What users say about a run, as text.
#pragma once
#include "run/run.hpp"

namespace sino {

// `memory`: "512M", "80%" of what is free, or "" for the default; `device`: see find_devices (). Throws
// SINO_ERROR_BAD_PROPERTY and SINO_ERROR_DEVICE.
SINO_INTERNAL RunOptions parse_options (const std::string &memory, int threads, const std::string &device);

} // namespace sino
