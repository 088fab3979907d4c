// SPDX-License-Identifier: LGPL-3.0-or-later
// When the commands of a worker ran on its device: whoever shows it takes it here.
#pragma once
#include "base/visibility.hpp"
#include <chrono>

namespace sino {

class SINO_VISIBLE DeviceSpans
{
public:
  using Clock = std::chrono::steady_clock;
  enum class Queue { upload, kernels, download };

  virtual ~DeviceSpans ();
  // Commands of one queue come in their order. One thread at a time, that of the worker.
  virtual void add (Queue queue, Clock::time_point begin, Clock::time_point end) = 0;

  // While it lives, queues that this thread makes are those of a worker whose commands `spans` takes; null: nobody
  // does.
  class SINO_VISIBLE Starting
  {
  public:
    explicit Starting (DeviceSpans *spans);
    ~Starting ();
    Starting (const Starting &) = delete;
    Starting &operator= (const Starting &) = delete;

  private:
    DeviceSpans *const before;
  };
  // Spans of the worker that this thread is starting.
  static DeviceSpans *taken ();
};

} // namespace sino
