// SPDX-License-Identifier: LGPL-3.0-or-later
// What would be chosen on a device in usual situations, in words.
#pragma once
#include "device/opencl.hpp"

namespace sino::back_project {

std::vector<std::string> explain_choices (const OpenclDevice &device);

} // namespace sino::back_project
