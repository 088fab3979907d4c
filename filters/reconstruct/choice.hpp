// SPDX-License-Identifier: LGPL-3.0-or-later
// The choice between direct and fourier, and what a plan says of it.
#pragma once
#include "base/text.hpp"
#include <string>

namespace sino::reconstruct {

struct Choice {
  bool fourier;
  std::string why;
};

inline std::string duration (double seconds)
{
  return text (seconds < 9.5 ? "%.2g s" : "%.0f s", seconds);
}

inline Choice compared (bool fourier, const char *because, double direct, double gridding)
{
  const auto line = [&] (const char *name, double seconds, const char *other, double others) {
    return text ("%s%s, about %s; %s would take %s", name, because, duration (seconds).c_str (), other,
                 duration (others).c_str ());
  };
  return {fourier,
          fourier ? line ("fourier", gridding, "direct", direct) : line ("direct", direct, "fourier", gridding)};
}

} // namespace sino::reconstruct
