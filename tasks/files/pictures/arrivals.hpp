// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

namespace sino::files {

// Records which images or lines have come. Some come twice, if a device failed meanwhile.
class Arrivals
{
public:
  explicit Arrivals (int64_t n) : come (static_cast<size_t> (n)), left (n) {}

  // Whether number i comes for the first time. Any thread.
  bool first (int64_t i)
  {
    if (come[static_cast<size_t> (i)].exchange (true))
      return false;
    left--;
    return true;
  }
  int64_t missing () const { return left; }

private:
  std::vector<std::atomic<bool>> come;
  std::atomic<int64_t> left;
};

} // namespace sino::files
