// SPDX-License-Identifier: LGPL-3.0-or-later
// Chooses the kernel for a device: the first proposal that the device can run with right results.
#pragma once
#include "families/proposals.hpp"

namespace sino::families {

// Settings of the user.
struct Request {
  std::string variant = "auto"; // "auto", or the name of a kernel
  std::string parameters;       // "PIXELS=8,CACHED=4"; "": the proposed ones
};

struct Choice : Proposal {
  std::vector<std::string> rejected; // kernels that were proposed first, with the reason why they were rejected
  // One of these failed for a reason that may not last, so the next run may choose it.
  bool for_now = false;
};

// Chooses a kernel. problem.lanes: number of lanes; 0: free. A second call with the chosen number of lanes gives the
// same kernel. Throws Error with all reasons if no kernel fits the request.
SINO_VISIBLE Choice choose (const OpenclDevice &device, const Family &family, const Problem &problem,
                            const Request &request = {});

} // namespace sino::families
