// SPDX-License-Identifier: LGPL-3.0-or-later
// The data of plan_variant () as text for users, and as a graph for Graphviz.
#pragma once
#include "base/variant.hpp"

namespace sino {

std::string describe_plan (const Facts &plan);
std::string dot_plan (const Facts &plan);

} // namespace sino
