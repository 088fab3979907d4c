// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cmath>

namespace sino::iterative_reconstruct {

// The change of an iteration as a share of the norm, from the squares of both.
inline double share_of (double change, double square)
{
  return square > 0 ? std::sqrt (change / square) : 0;
}

} // namespace sino::iterative_reconstruct
