// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/visibility.hpp"
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace sino {

// Counters that a task reports with the statistics of the run ("dead-pixels", "overflows"). Any thread.
class SINO_VISIBLE Counters
{
public:
  void add (const std::string &name, int64_t n)
  {
    const std::lock_guard guard (mutex);
    values[name] += n;
  }
  // Raises the counter to `n` if it is less.
  void raise (const std::string &name, int64_t n)
  {
    const std::lock_guard guard (mutex);
    values[name] = std::max (values[name], n);
  }
  std::map<std::string, int64_t> read () const
  {
    const std::lock_guard guard (mutex);
    return values;
  }

private:
  mutable std::mutex mutex;
  std::map<std::string, int64_t> values;
};

} // namespace sino
