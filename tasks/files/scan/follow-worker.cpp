// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/follow-worker.hpp"

namespace sino::files {

FollowWorker::FollowWorker (std::shared_ptr<Follower> f, const Replica &replica)
    : follower (std::move (f)), cpu (replica.cpu), monitor (replica.monitor), counters (replica.counters)
{
}

void FollowWorker::run (std::span<sino::Input *const>, Output *output)
{
  while (const Region *coming = output->coming ()) {
    if (auto now = follower->wait_for (coming->angles.end, monitor); now != scan) {
      scan = std::move (now);
      reader.emplace (scan->stack, scan->picks, Reading{&cpu, &monitor, &counters});
    }
    Block block = output->next ();
    reader->read (block.angles (), block.rows (), block.data ());
    const bool last = block.angles ().end == block.format ().angles ();
    output->push (std::move (block));
    if (last)
      follower->check_angles ();
  }
}

} // namespace sino::files
