// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the meaning of a scan's values, and the nodes that convert them to attenuation.
#pragma once
#include "scan/line.hpp"
#include "stream/format.hpp"
#include <string>
#include <vector>

namespace sino::scan {

struct ToAttenuation {
  LineSettings read;             // properties of the reading node
  std::vector<LineNode> nodes;   // nodes after it
  std::vector<std::string> said; // findings, for people
};

// Finds them for the scan at `path`. `phase`: the nodes give transmission, for phase retrieval. `bin`: the binning node
// before them, or null. Throws Missing if the user has to specify the meaning of the values.
ToAttenuation to_attenuation (const std::string &path, const Format &format, bool phase, const LineNode *bin);

} // namespace sino::scan
