// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of 'app-source'.
#pragma once
#include "app/frame-queue.hpp"
#include "glue/task.hpp"

namespace sino::app {

// Throw that frames are missing, or came after the end.
void check_number (int64_t wanted, int64_t came);
[[noreturn]] void fail_short (int64_t came, int64_t wanted);

// Hands on frames as they come. Where a block is a part of what was pushed at once, it is that memory.
class QueueWorker final : public Worker
{
public:
  QueueWorker (FrameQueue &q, const Replica &replica) : queue (q), monitor (replica.monitor), format (*replica.output)
  {
  }
  void run (std::span<Input *const>, Output *output) override;

private:
  FrameQueue &queue;
  const Monitor &monitor;
  const Format &format;
  Chunk rest; // of what was popped

  bool fetch (int64_t frame);
  void copy_into (Block &block);
};

} // namespace sino::app
