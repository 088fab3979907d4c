// SPDX-License-Identifier: LGPL-3.0-or-later
// How the kernels are launched, what they take, and which of their parameters do not go together. What each parameter
// does is told at the top of the kernel's source.
#pragma once
#include "families/family.hpp"

namespace sino::back_project {

using families::ImageShape, families::Problem, families::Setting, families::Shape;

Shape reference_shape (const Setting &, const Problem &);
Shape texture_shape (const Setting &, const Problem &);
Shape local_shape (const Setting &, const Problem &);
Shape hybrid_shape (const Setting &, const Problem &);
Shape window_shape (const Setting &, const Problem &);
Shape blocked_shape (const Setting &, const Problem &);

std::string texture_contradiction (const Setting &, const Problem &, const OpenclFacts &);
std::string local_contradiction (const Setting &, const Problem &, const OpenclFacts &);
std::string hybrid_contradiction (const Setting &, const Problem &, const OpenclFacts &);
std::string window_contradiction (const Setting &, const Problem &, const OpenclFacts &);

} // namespace sino::back_project
