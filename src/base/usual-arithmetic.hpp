// SPDX-License-Identifier: LGPL-3.0-or-later
// The floating-point settings that kernels need, whatever settings the calling program uses.
#pragma once
#include <cfenv>

namespace sino {

// While this object exists, its thread rounds to nearest, keeps subnormal numbers, and does not trap floating-point
// exceptions. Threads started meanwhile inherit that. The destructor restores the thread's own settings.
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
