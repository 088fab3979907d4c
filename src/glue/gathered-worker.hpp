// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes blocks of frames in other owners' memory.
#pragma once
#include "glue/task.hpp"
#include "stream/gathered.hpp"

namespace sino {

// Passes on the next block without a copy if the worker may do so; returns whether it did.
bool push_in_place (Output &output, const Format &format, std::shared_ptr<const std::byte> memory);

// Puts out a scan that has been gathered.
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
