// SPDX-License-Identifier: LGPL-3.0-or-later
// What a node makes of the formats that streams usually have: it is asked, with its properties as they are at first.
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

// One that a node takes, all of its inputs alike, and what it gives then.
struct Fit {
  Shape taken; // of a source: what it gives, too
  Shape given; // of a sink: what it takes, too
};

struct Fits {
  std::vector<Fit> fits;
  std::string why; // why there are none
};

Fits formats_taken (const std::string &node);

} // namespace sino::cli
