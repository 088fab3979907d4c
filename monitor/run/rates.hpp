// SPDX-License-Identifier: LGPL-3.0-or-later
// What nodes did in the last second or so, from their counts since the begin.
#pragma once
#include "run/run.hpp"
#include <map>

namespace sino::monitor {

class Rates
{
public:
  struct Rate {
    double busy = 0;  // share of the time
    double bytes = 0; // a second, of what came in or went out, whichever is more
  };

  void look (const RunStatistics &statistics);
  Rate of (const TaskStatistics &task) const;

private:
  static constexpr double window = 1; // seconds

  struct Counts {
    double busy = 0;
    int64_t in = 0, out = 0;
  };
  struct Look {
    double seconds = 0;
    std::map<std::string, Counts> counts;
  };
  Look before, now, kept; // `kept` becomes `before` once it is a window old
};

} // namespace sino::monitor
