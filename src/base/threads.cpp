// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/threads.hpp"
#include "base/cgroup.hpp"
#include "base/error.hpp"
#include <cmath>
#include <latch>
#include <sys/resource.h>
#include <system_error>
#include <vector>

namespace sino {

std::thread start_thread (std::function<void ()> body)
{
  try {
    return std::thread (std::move (body));
  } catch (const std::system_error &e) {
    fail_thread (e.code ().value ());
  }
}

void require_threads (int n)
{
  const auto alive = [] { return number_after ("/proc/self/status", "Threads:").value_or (0); };
  const double before = alive ();
  std::latch over (1);
  std::vector<std::thread> threads;
  const auto end = [&] {
    over.count_down ();
    for (auto &thread : threads)
      thread.join ();
    poll_until ([&] { return alive () <= before; }); // the system counts them for a moment after they were joined
  };
  try {
    for (int i = 0; i < n; i++)
      threads.push_back (start_thread ([&] { over.wait (); }));
  } catch (...) {
    end ();
    throw;
  }
  end ();
}

void fail_thread (int number)
{
  std::string limits;
  rlimit processes{};
  if (getrlimit (RLIMIT_NPROC, &processes) == 0 && processes.rlim_cur != RLIM_INFINITY)
    limits =
        text ("ulimit -u is %llu for all processes of this user", static_cast<unsigned long long> (processes.rlim_cur));
  if (rlimit space{}; getrlimit (RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    limits += text ("%sulimit -v is %s of addresses", limits.empty () ? "" : ", ",
                    bytes_text (static_cast<double> (space.rlim_cur)).c_str ());
  if (const double tasks = cgroup_tasks (); std::isfinite (tasks))
    limits += text ("%sthe control group has at most %.0f", limits.empty () ? "" : ", ", tasks);
  fail (SINO_ERROR_FAILED, "cannot start a thread: %s%s%s%s: raise the limit of processes, or give fewer threads",
        g_strerror (number), limits.empty () ? "" : " (", limits.c_str (), limits.empty () ? "" : ")");
}

} // namespace sino
