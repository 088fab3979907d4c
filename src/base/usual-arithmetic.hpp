// SPDX-License-Identifier: LGPL-3.0-or-later
// The floating-point settings that kernels need, whatever settings the calling program uses.
#pragma once
#include "base/visibility.hpp"
#include <cfenv>

namespace sino {

// While this object exists, its thread rounds to nearest, keeps subnormal numbers, and does not trap floating-point
// exceptions. Threads started meanwhile inherit that. The destructor restores the thread's own settings.
class UsualArithmetic : NoCopy
{
public:
  UsualArithmetic ()
  {
    std::fegetenv (&before);
    std::fesetenv (FE_DFL_ENV);
  }
  ~UsualArithmetic () { std::fesetenv (&before); }

private:
  std::fenv_t before;
};

} // namespace sino
