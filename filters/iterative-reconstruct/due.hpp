// SPDX-License-Identifier: LGPL-3.0-or-later
// Says when a long run is to tell where it is: 5 s after its begin, then after twice the time each.
#pragma once
#include <chrono>

namespace sino::iterative_reconstruct {

class Due
{
public:
  // Whether it is time again.
  bool now ()
  {
    const auto time = Clock::now ();
    if (time < next)
      return false;
    next = time + (time - begin);
    return true;
  }

private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now ();
  Clock::time_point next = begin + std::chrono::seconds (5);
};

} // namespace sino::iterative_reconstruct
