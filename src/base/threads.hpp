// SPDX-License-Identifier: LGPL-3.0-or-later
// Threads, with an error that names the limits on their number.
#pragma once
#include "base/monitor.hpp"
#include "base/visibility.hpp"
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace sino {

// Starts a thread; throws Error if the system has none left, with the limits that hold for this process.
SINO_VISIBLE std::thread start_thread (std::function<void ()> body);

// The same for a helper thread of a worker, whose errors go to `failed`. Cancelled is none.
SINO_VISIBLE std::thread start_helper (std::function<void ()> body, Failed failed);

// Starts a thread and adds it to a list. The list grows before the thread starts: an exception after that would end the
// process.
SINO_VISIBLE void add_thread (std::vector<std::thread> &threads, std::function<void ()> body);

// Throws if `n` more threads cannot run at once: for libraries that end the process if a thread is refused.
SINO_VISIBLE void require_threads (int n);

// Polls for a tenth of a second, for events without notification that happen soon.
template <class Ready> void poll_until (Ready ready)
{
  for (int i = 0; i < 200 && !ready (); i++)
    std::this_thread::sleep_for (std::chrono::microseconds (i < 20 ? 20 : 500));
}

// Throws the same error for code that starts threads in other ways; `number` is an errno.
[[noreturn]] SINO_VISIBLE void fail_thread (int number);

} // namespace sino
