// SPDX-License-Identifier: LGPL-3.0-or-later
// Which kernel runs on a device: the first that the table of tunings names and that the device can run and runs
// rightly.
#pragma once
#include "back-project/opencl/variant.hpp"
#include "device/opencl.hpp"

namespace sino::back_project {

// What the user asked for.
struct Wish {
  std::string variant;    // "auto", or the name of a kernel
  std::string parameters; // "PIXELS=8,CACHED=4"; "": those of the table
};

struct Choice {
  Setting setting;
  int lanes;
  std::string origin;                // who proposed it
  std::string reason;                // and why
  std::vector<std::string> rejected; // what was better, and why not
};

// `problem.lanes` is 0 when they are free. `slices`: how many there are. Throws Error when nothing can be done as it is
// wished.
Choice choose (const OpenclDevice &device, Problem problem, int64_t slices, const Wish &wish);

} // namespace sino::back_project
