// SPDX-License-Identifier: LGPL-3.0-or-later
// Texts about nodes, for users and for documentation pages.
#pragma once
#include "graph/node-facts.hpp"

namespace sino::cli {

std::string list_text (const std::vector<std::string> &names);
// The file formats of all nodes; or of one node, after an empty line; "" if there are none.
std::string formats_text (const std::string &node = {});
std::string node_text (const std::string &name);
// "u8, u16 projections (angle, row, column) -> f32 projections (angle, row, column)", for one element of
// NodeFacts::signatures.
std::string signature_text (const Signature &signature);
// The table of properties, as in the node's page.
std::string node_markdown (const std::string &name);

} // namespace sino::cli
