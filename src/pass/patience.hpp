// SPDX-License-Identifier: LGPL-3.0-or-later
// Limits the time that a cancelled run waits for calls that do not return, for example if a file system hangs. After
// some seconds the run leaves their threads behind. These threads own all data that they use.
#pragma once
#include "base/monitor.hpp"
#include <chrono>
#include <exception>
#include <functional>

namespace sino {

class Patience
{
public:
  using Time = std::chrono::milliseconds;
  static constexpr Time usual = std::chrono::seconds (10);

  // Sets the longest waiting time after a cancellation.
  void set (Time t) noexcept { time = t; }

  // Waits until `ended ()`, which is called with the lock held; calls `watch` about ten times a second. Returns false
  // if the waiting time after a cancellation is over.
  bool wait (Monitor &monitor, const std::function<bool ()> &ended, const std::function<void ()> &watch = {}) const;

  // Whether any run of this process has left a thread behind. Exit handlers of the process may wait for locks of that
  // thread.
  static SINO_VISIBLE bool left_any () noexcept;

  // Throws the failure of the run, or a message that it was cancelled, with the name of the call that was left behind.
  [[noreturn]] void fail (const std::string &stuck, const std::exception_ptr &failure = {}) const;

private:
  std::atomic<Time> time{usual};
};

} // namespace sino
