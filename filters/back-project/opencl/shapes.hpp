// SPDX-License-Identifier: LGPL-3.0-or-later
// Launch sizes and memory of the kernels, and parameters that exclude each other. Each kernel's source explains its
// parameters at the top.
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
