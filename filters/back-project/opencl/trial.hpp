// SPDX-License-Identifier: LGPL-3.0-or-later
// Whether a kernel works on a device: drivers advertise what they cannot do.
#pragma once
#include "back-project/opencl/answers.hpp"
#include "back-project/opencl/variant.hpp"
#include "device/opencl.hpp"

namespace sino::back_project {

// Solves a small problem of the kind and compares it with the definition. Returns what is wrong, or "". What is
// wrong with the kernel is kept and not tried again, what failed for lack of memory or the like is.
Answer trial (const OpenclDevice &device, const Setting &setting, const Problem &problem);

} // namespace sino::back_project
