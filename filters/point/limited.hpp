// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/text.hpp"
#include "glue/task.hpp"
#include <atomic>

namespace sino::point {

// Counts limited values, for example clamped ones, which should be rare. Warns the user if they exceed 1 %. Shared by
// the replicas of a run.
class Limited
{
public:
  explicit Limited (Messages &m) : messages (&m) {}
  void add (int64_t l, int64_t v)
  {
    limited += l;
    values += v;
  }
  // Writes the message at the end of the run: "2 % of the " + what.
  void tell (const char *what) const
  {
    if (100 * limited > values)
      messages->add (
          text ("%.2g %% of the %s", 100 * static_cast<double> (limited) / static_cast<double> (values), what));
  }

private:
  Messages *messages;
  std::atomic<int64_t> limited = 0, values = 0;
};

} // namespace sino::point
