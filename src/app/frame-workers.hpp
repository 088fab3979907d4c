// SPDX-License-Identifier: LGPL-3.0-or-later
// The workers of 'app-source'.
#pragma once
#include "app/gathered.hpp"
#include "glue/task.hpp"

namespace sino::app {

// Throw that frames have another size than the scan's, that some are missing, or that they came after the end.
void check_size (size_t wanted, size_t came);
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

// The same of a scan that has come.
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

} // namespace sino::app
