// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the formats that a node with default properties accepts, and its output formats, by asking it with usual
// formats.
#pragma once
#include "stream/format.hpp"
#include <string>
#include <vector>

namespace sino::cli {

struct Shape {
  Element element;
  Kind kind;
  std::vector<Axis> axes;
};

// An accepted input format, the same for all inputs, and the output format for it.
struct Fit {
  Shape taken; // for a source: its output format
  Shape given; // for a sink: its input format
};

struct Fits {
  std::vector<Fit> fits;
  std::string why; // reason if there are none
};

Fits formats_taken (const std::string &node);

} // namespace sino::cli
