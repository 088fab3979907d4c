// SPDX-License-Identifier: LGPL-3.0-or-later
// What the kernels' launches take, what kernels cannot do, and the options of the compiler.
#pragma once
#include "families/family.hpp"

namespace sino::cone_back_project {

families::Shape shape_of (const families::Setting &setting, const families::Problem &problem);
std::string only_upright (const families::Setting &, const families::Problem &problem, const OpenclFacts &);
std::string options (const families::Setting &setting, const families::Problem &problem);

} // namespace sino::cone_back_project
