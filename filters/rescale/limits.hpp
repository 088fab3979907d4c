// SPDX-License-Identifier: LGPL-3.0-or-later
// Parses limits given as two percentiles.
#pragma once
#include "base/error.hpp"
#include "base/text.hpp"
#include <string>
#include <utility>

namespace sino::rescale {

inline constexpr char usual_percentiles[] = "0.5:99.5";

// Parses text like "0.5:99.5".
inline std::pair<double, double> parse_percentiles (const char *property, const std::string &word)
{
  const auto colon = word.find (':');
  double low = 0, high = 0;
  if (colon == std::string::npos || !parse_number (word.substr (0, colon), low) ||
      !parse_number (word.substr (colon + 1), high) || !(low >= 0 && high <= 100 && low < high))
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%s: give two percentiles from 0 to 100, the lower one first, as %s", property,
          word.c_str (), usual_percentiles);
  return {low, high};
}

} // namespace sino::rescale
