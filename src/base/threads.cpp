// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/threads.hpp"
#include "base/cgroup.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "base/usual-arithmetic.hpp"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <latch>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace sino {

std::thread start_thread (std::function<void ()> body)
{
  try {
    return std::thread ([body = std::move (body)] {
      const UsualArithmetic usual; // threads inherit the settings of their creator
      body ();
    });
  } catch (const std::system_error &e) {
    fail_thread (e.code ().value ());
  }
}

std::thread start_helper (std::function<void ()> body, Failed failed)
{
  return start_thread ([body = std::move (body), failed = std::move (failed)] {
    try {
      body ();
    } catch (const Cancelled &) {
    } catch (...) {
      failed (std::current_exception ());
    }
  });
}

void add_thread (std::vector<std::thread> &threads, std::function<void ()> body)
{
  threads.reserve (threads.size () + 1);
  threads.push_back (start_thread (std::move (body)));
}

void require_threads (int n)
{
  std::latch over (1);
  std::vector<std::atomic<pid_t>> ids (static_cast<size_t> (n));
  const auto alive = [] (pid_t id) { return id != 0 && tgkill (getpid (), id, 0) == 0; };
  std::vector<std::thread> threads;
  threads.reserve (ids.size ());
  const AtEnd end ([&] {
    over.count_down ();
    for (auto &thread : threads)
      thread.join ();
    // The system counts threads for a moment after they were joined.
    poll_until ([&] { return std::ranges::none_of (ids, alive); });
  });
  for (auto &id : ids)
    threads.push_back (start_thread ([&] {
      id = gettid ();
      over.wait ();
    }));
}

void fail_thread (int number)
{
  std::vector<std::string> limits;
  rlimit processes{};
  if (getrlimit (RLIMIT_NPROC, &processes) == 0 && processes.rlim_cur != RLIM_INFINITY)
    limits.push_back (text ("ulimit -u is %llu for all processes of this user",
                            static_cast<unsigned long long> (processes.rlim_cur)));
  if (rlimit space{}; getrlimit (RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    limits.push_back (
        text ("ulimit -v is %s of addresses", bytes_text (static_cast<double> (space.rlim_cur)).c_str ()));
  if (const double tasks = cgroup_tasks (); std::isfinite (tasks))
    limits.push_back (text ("the control group has at most %.0f", tasks));
  fail (SINO_ERROR_FAILED, "cannot start a thread: %s%s%s%s: raise the limit of processes, or give fewer threads",
        g_strerror (number), limits.empty () ? "" : " (", join (limits).c_str (), limits.empty () ? "" : ")");
}

} // namespace sino
