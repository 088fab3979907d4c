// SPDX-License-Identifier: LGPL-3.0-or-later
// Whether a kernel works on a device: drivers advertise what they cannot do.
#pragma once
#include "back-project/opencl/variant.hpp"
#include "device/opencl.hpp"

namespace sino::back_project {

// Solves a small problem of the kind and compares it with the definition. Returns what is wrong, or "". The answer is
// kept, in the process and in the cache of programs.
std::string trial (const OpenclDevice &device, const Setting &setting, const Problem &problem);

} // namespace sino::back_project
