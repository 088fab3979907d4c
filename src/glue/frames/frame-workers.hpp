// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of 'app-source'.
#pragma once
#include "glue/frames/gaps.hpp"
#include "glue/task.hpp"

namespace sino {

// Outputs frames as they come. A block within one pushed buffer uses the memory of that buffer.
class QueueWorker final : public Worker
{
public:
  QueueWorker (FrameQueue &q, Lost lost, const Replica &replica)
      : queue (q), gaps (q, lost), monitor (replica.monitor), format (*replica.output)
  {
  }
  void run (std::span<Input *const>, Output *output) override;

private:
  FrameQueue &queue;
  Gaps gaps;
  const Monitor &monitor;
  const Format &format;
  Chunk rest; // frames that were popped and are not output yet

  bool fetch ();
  void copy_into (Block &block);
};

} // namespace sino
