// SPDX-License-Identifier: LGPL-3.0-or-later
// A lock that threads get in the order in which they ask for it, so that new frames and planes that are made anew take
// turns.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace sino::live {

class Turns
{
public:
  void lock ()
  {
    std::unique_lock held (mutex);
    const auto mine = next++;
    turned.wait (held, [&] { return now == mine; });
  }
  void unlock ()
  {
    const std::lock_guard held (mutex);
    now++;
    turned.notify_all ();
  }

private:
  std::mutex mutex;
  std::condition_variable turned;
  uint64_t next = 0, now = 0;
};

} // namespace sino::live
