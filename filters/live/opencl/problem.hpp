// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"

namespace sino::live {

families::Problem family_problem (bool half, int64_t rows);
// Options for the OpenCL compiler.
std::string options (const families::Setting &setting, const families::Problem &problem);

} // namespace sino::live
