// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/run/rates.hpp"
#include <algorithm>

namespace sino::monitor {

void Rates::look (const RunStatistics &statistics)
{
  now.seconds = statistics.seconds;
  for (const auto &task : statistics.tasks)
    now.counts[task.node] = {task.busy, task.bytes_in, task.bytes_out};
  if (now.seconds < kept.seconds + window)
    return;
  before = std::move (kept);
  kept = now;
}

Rates::Rate Rates::of (const TaskStatistics &task) const
{
  const auto found = before.counts.find (task.node);
  const auto old = found != before.counts.end () ? found->second : Counts ();
  const double seconds = now.seconds - before.seconds;
  if (seconds <= 0)
    return {};
  return {std::clamp ((task.busy - old.busy) / seconds, 0., 1.),
          static_cast<double> (std::max (task.bytes_in - old.in, task.bytes_out - old.out)) / seconds};
}

} // namespace sino::monitor
