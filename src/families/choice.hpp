// SPDX-License-Identifier: LGPL-3.0-or-later
// Which kernel runs on a device: the first proposal that the device can run and runs rightly.
#pragma once
#include "families/proposals.hpp"

namespace sino::families {

// What the user asks for.
struct Request {
  std::string variant = "auto"; // or the name of a kernel
  std::string parameters;       // "PIXELS=8,CACHED=4"; "": those proposed
};

struct Choice : Proposal {
  std::vector<std::string> rejected; // what was better, and why not
  bool for_now = false;              // the next run may take one of these: it failed in a way that may not last
};

// problem.lanes is 0 when they are free; given those that it would take, it takes the same kernel. Throws Error with
// all reasons when nothing can be done as it is asked.
SINO_VISIBLE Choice choose (const OpenclDevice &device, const Family &family, const Problem &problem,
                            const Request &request = {});

} // namespace sino::families
