// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/interrupt.hpp"
#include "base/temporary.hpp"
#include "cli/command.hpp"
#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace sino::cli {

namespace {

// What is left of the second goes to removing files and to the system.
constexpr int patience = 600; // ms

std::atomic<bool> came{false};
std::mutex mutex;
Run *current = nullptr; // the run to cancel

bool cancel_current ()
{
  const std::lock_guard guard (mutex);
  if (current)
    current->cancel ();
  return current;
}

// A signal that the parent chose to ignore (nohup, a shell's background jobs) stays ignored.
sigset_t watched ()
{
  sigset_t set;
  sigemptyset (&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {
    };
    if (sigaction (signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset (&set, signal);
  }
  return set;
}

void watch (const sigset_t set)
{
  int signal = 0;
  if (sigwait (&set, &signal) != 0)
    return;
  came = true;
  if (cancel_current ()) {
    // The main thread leaves as soon as the run has ended; a second signal is for those who cannot wait.
    const timespec time{0, patience * 1000000};
    sigtimedwait (&set, nullptr, &time);
  }
  leave_interrupted ();
}

} // namespace

void watch_signals ()
{
  const auto set = watched ();
  pthread_sigmask (SIG_BLOCK, &set, nullptr);
  std::thread (watch, set).detach ();
}

bool signalled ()
{
  return came;
}

void leave_interrupted () noexcept
{
  static std::mutex once;
  once.lock (); // for good: the second to come waits for the end of the process
  Temporary::remove_all ();
  fputs ("sinograph: interrupted\n", stderr);
  _exit (interrupted);
}

Cancelling::Cancelling (Run &run)
{
  const std::lock_guard guard (mutex);
  current = &run;
}

Cancelling::~Cancelling ()
{
  const std::lock_guard guard (mutex);
  current = nullptr;
}

} // namespace sino::cli
