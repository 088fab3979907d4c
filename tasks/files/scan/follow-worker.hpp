// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of `read` for a scan that a detector still writes.
#pragma once
#include "glue/task.hpp"
#include "tasks/files/scan/follower.hpp"

namespace sino::files {

// Reads projections in order, each block as soon as it has come.
class FollowWorker final : public Worker
{
public:
  FollowWorker (std::shared_ptr<Follower> follower, const Replica &replica);

  void run (std::span<sino::Input *const>, Output *output) override;

private:
  const std::shared_ptr<Follower> follower;
  const Cpu &cpu;
  const Monitor &monitor;
  Counters &counters;
  std::shared_ptr<const Scan> scan; // that of the reader
  std::optional<Reader> reader;
};

} // namespace sino::files
