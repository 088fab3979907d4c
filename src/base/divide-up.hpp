// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

// How many parts of `by` hold n; the last one may be in part empty.
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
