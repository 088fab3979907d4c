// SPDX-License-Identifier: LGPL-3.0-or-later
// What a cancelled run does about calls that do not return, such as those to a file system that stalls: it waits for
// some seconds, then leaves their threads behind. These own all that they touch.
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

  // How long to wait once the run is cancelled.
  void set (Time t) noexcept { time = t; }

  // Waits until `ended ()`, which is called with the lock held; calls `watch` about ten times a second. False: the run
  // was cancelled that long ago.
  bool wait (Monitor &monitor, const std::function<bool ()> &ended, const std::function<void ()> &watch = {}) const;

  // Whether any run of this process has left a thread behind. Handlers at its exit may wait for what that holds.
  static SINO_VISIBLE bool left_any () noexcept;

  // Throws the failure of a run, or that it was cancelled, and what was left behind.
  [[noreturn]] void fail (const std::string &stuck, const std::exception_ptr &failure = {}) const;

private:
  std::atomic<Time> time{usual};
};

} // namespace sino
