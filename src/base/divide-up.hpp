// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

// Number of parts of size `by` that n needs; the last part may be partly empty.
constexpr auto divide_up (auto n, auto by)
{
  return n / by + (n % by > 0 ? 1 : 0);
}

// The least multiple of `unit` that is not below n.
constexpr auto round_up (auto n, auto unit)
{
  return divide_up (n, unit) * unit;
}

} // namespace sino
