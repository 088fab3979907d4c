// SPDX-License-Identifier: LGPL-3.0-or-later
// The work to do, settled by negotiation.
#pragma once
#include "filters/stitch-360/join.hpp"
#include "filters/stitch-360/pairs.hpp"

namespace sino::stitch_360 {

struct Job {
  std::vector<Pair> pairs;
  Join join;
  bool projections = false;
  int64_t projections_in = 0;

  // Whether rows are not joined but weighted as their part of a joined row; the full turn is then filtered and
  // back-projected.
  bool alone () const { return pairs[0].mirror < 0; }

  struct Where {
    int64_t pair = -1; // none if the projection repeats another one
    bool mirror = false;
  };
  // Where each projection goes.
  std::vector<Where> places () const
  {
    std::vector<Where> all (static_cast<size_t> (projections_in));
    for (size_t p = 0; p < pairs.size (); p++) {
      all[static_cast<size_t> (pairs[p].direct)] = {static_cast<int64_t> (p), false};
      if (!alone ())
        all[static_cast<size_t> (pairs[p].mirror)] = {static_cast<int64_t> (p), true};
    }
    return all;
  }
};

} // namespace sino::stitch_360
