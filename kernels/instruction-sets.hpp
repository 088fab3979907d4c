// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace sino::kernels {

// Names of the instruction sets that kernels are compiled for, the best first: "AVX2", "SSE4" ... The build option
// `kernel-targets` selects them. The last one runs on every CPU that the build supports.
std::vector<std::string> built_instruction_sets ();

} // namespace sino::kernels
