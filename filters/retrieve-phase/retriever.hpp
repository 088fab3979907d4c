// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of phase retrieval on the CPU.
#pragma once
#include "filters/retrieve-phase/plane.hpp"
#include "glue/task.hpp"
#include "kernels/retrieve-phase/response.hpp"

namespace sino::retrieve_phase {

constexpr const char *no_transmission =
    "more than 1 % of the pixels of some projections are not transmission, which is above 0 and at "
    "most a little above 1: does 'flat-field' before this node have absorption=false?";

// Rows of the output, counted from the first one of the input.
inline Interval wanted_rows (const Block &in, const Block &out)
{
  return {out.rows ().begin - in.rows ().begin, out.rows ().end - in.rows ().begin};
}

struct Retrieval {
  Method method;
  std::shared_ptr<const PlaneFilter> filter;
  int at_once; // number of blocks in work at the same time
  bool judges; // whether it warns of projections that are no transmission; a part of their rows does not show this
};
std::unique_ptr<Worker> retriever (const Replica &replica, Retrieval retrieval);

} // namespace sino::retrieve_phase
