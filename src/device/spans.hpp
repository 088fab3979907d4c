// SPDX-License-Identifier: LGPL-3.0-or-later
// Receives the times at which commands of a worker ran on its device, to display them.
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
  // Commands of one queue are added in order, by the worker's thread only.
  virtual void add (Queue queue, Clock::time_point begin, Clock::time_point end) = 0;

  // While this object exists, `spans` receives the times of commands in queues that this thread makes for a worker;
  // null: the times are not recorded.
  class SINO_VISIBLE Starting : NoCopy
  {
  public:
    explicit Starting (DeviceSpans *spans);
    ~Starting ();

  private:
    DeviceSpans *const before;
  };
  // The receiver for the worker that this thread is starting.
  static DeviceSpans *taken ();
};

} // namespace sino
