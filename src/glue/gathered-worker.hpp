// SPDX-License-Identifier: LGPL-3.0-or-later
// Frames that lie in memory of others, as blocks.
#pragma once
#include "glue/task.hpp"
#include "stream/gathered.hpp"

namespace sino {

// Hands on the next block, which lies there, where a worker may. Whether it did.
bool push_in_place (Output &output, const Format &format, std::shared_ptr<const std::byte> memory);

// Hands on a scan that has come.
class GatheredWorker final : public Worker
{
public:
  GatheredWorker (std::shared_ptr<const Gathered> g, const Replica &replica)
      : frames (std::move (g)), format (*replica.output)
  {
  }
  void run (std::span<Input *const>, Output *output) override;

private:
  const std::shared_ptr<const Gathered> frames;
  const Format &format;
};

} // namespace sino
