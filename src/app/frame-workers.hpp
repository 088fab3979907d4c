// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of 'app-source'.
#pragma once
#include "app/frame-queue.hpp"
#include "glue/task.hpp"

namespace sino::app {

// check_number (): throws if frame `came` is later than `wanted`, because the frames between are missing. fail_short
// (): throws an error that the scan ended too early.
void check_number (int64_t wanted, int64_t came);
[[noreturn]] void fail_short (int64_t came, int64_t wanted);

// Outputs frames as they come. A block within one pushed buffer uses the memory of that buffer.
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
  Chunk rest; // frames that were popped and are not output yet

  bool fetch (int64_t frame);
  void copy_into (Block &block);
};

} // namespace sino::app
