// SPDX-License-Identifier: LGPL-3.0-or-later
// Launch sizes and memory of the kernels, problems that a kernel cannot solve, and compiler options.
#pragma once
#include "families/family.hpp"

namespace sino::cone_back_project {

families::Shape shape_of (const families::Setting &setting, const families::Problem &problem);
bool is_adjoint (const families::Problem &problem);
std::string only_upright (const families::Setting &, const families::Problem &problem, const OpenclFacts &);
std::string options (const families::Setting &setting, const families::Problem &problem);

} // namespace sino::cone_back_project
