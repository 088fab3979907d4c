// SPDX-License-Identifier: LGPL-3.0-or-later
// What the registry knows about nodes, as text for people and for pages.
#pragma once
#include "cli/inspect/node-facts.hpp"

namespace sino::cli {

std::string list_text (const std::vector<std::string> &names);
// The formats of files that nodes know, or those of one node below a line that is left free; "" when there are none.
std::string formats_text (const std::string &node = {});
std::string node_text (const std::string &name);
// "u8, u16 projections (angle, row, column) -> f32 projections (angle, row, column)": a line for all elements of which
// the same comes. There has to be a fit.
std::vector<std::string> fit_lines (const NodeFacts &node, const std::vector<Fit> &fits);
// The table of properties, as it stands in the node's page.
std::string node_markdown (const std::string &name);

} // namespace sino::cli
