// SPDX-License-Identifier: LGPL-3.0-or-later
// What the values of a scan are, and which nodes make attenuation of them.
#pragma once
#include "cli/scan/line.hpp"
#include "stream/format.hpp"
#include <string>
#include <vector>

namespace sino::cli {

struct ToAttenuation {
  LineSettings read;             // what the node that reads has to be told
  std::vector<LineNode> nodes;   // those that follow
  std::vector<std::string> said; // what was found, for people
};

// Finds them for the scan at `path`. `phase`: the nodes give transmission, to retrieve phase from. `bin`: the node
// before them that makes one pixel of several, or null. Throws Wrong where the user has to say what the values are.
ToAttenuation to_attenuation (const std::string &path, const Format &format, bool phase, const LineNode *bin);

} // namespace sino::cli
