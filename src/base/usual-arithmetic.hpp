// SPDX-License-Identifier: LGPL-3.0-or-later
// The rounding that kernels count on, whatever the program around them has set for its own work.
#pragma once
#include <cfenv>

namespace sino {

// While it lives, this thread rounds to the nearest, has numbers below the normal ones, and no floating-point exception
// stops it. Threads that are started meanwhile inherit that. Then the thread's own settings hold again.
class UsualArithmetic
{
public:
  UsualArithmetic ()
  {
    std::fegetenv (&before);
    std::fesetenv (FE_DFL_ENV);
  }
  ~UsualArithmetic () { std::fesetenv (&before); }
  UsualArithmetic (const UsualArithmetic &) = delete;
  UsualArithmetic &operator= (const UsualArithmetic &) = delete;

private:
  std::fenv_t before;
};

} // namespace sino
