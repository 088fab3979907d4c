// SPDX-License-Identifier: LGPL-3.0-or-later
// Threads, and an error that tells what limits their number.
#pragma once
#include "base/visibility.hpp"
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace sino {

// Starts a thread; throws Error where the system has none left, with the limits that hold for this process.
SINO_VISIBLE std::thread start_thread (std::function<void ()> body);

// Starts one of several. There is room for it before it runs, as a list that throws would end the process with it.
SINO_VISIBLE void add_thread (std::vector<std::thread> &threads, std::function<void ()> body);

// Throws the same when there cannot be so many more at once: for libraries that end the process where one is refused.
SINO_VISIBLE void require_threads (int n);

// Polls for a tenth of a second, for what threads do soon and tell nobody.
template <class Ready> void poll_until (Ready ready)
{
  for (int i = 0; i < 200 && !ready (); i++)
    std::this_thread::sleep_for (std::chrono::microseconds (i < 20 ? 20 : 500));
}

// The same for what starts threads in other ways; `number` is an errno.
[[noreturn]] SINO_VISIBLE void fail_thread (int number);

} // namespace sino
