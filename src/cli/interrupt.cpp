// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/interrupt.hpp"
#include "base/files/temporary.hpp"
#include "base/threads.hpp"
#include "cli/command.hpp"
#include <atomic>
#include <csignal>
#include <mutex>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace sino::cli {

namespace {

// Milliseconds for the run to end; the rest of the second is for removing files and for the system.
constexpr int patience = 600; // ms

std::atomic<bool> came{false}, told{false};
std::mutex mutex;
Run *current = nullptr; // the run to cancel

bool cancel_current ()
{
  const std::lock_guard guard (mutex);
  if (current)
    current->cancel ();
  return current;
}

const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// Signals that the parent process ignores (nohup, background jobs of a shell) stay ignored, even if a library later
// sets its own handler, as OpenCL drivers with LLVM do.
bool is_ignored (int signal)
{
  struct sigaction action {
  };
  return sigaction (signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void watch (const sigset_t all, const sigset_t ignored)
{
  int signal = 0;
  do {
    if (sigwait (&all, &signal) != 0)
      return;
  } while (sigismember (&ignored, signal));
  came = true;
  if (cancel_current ()) {
    // The main thread exits as soon as the run has ended; a second signal ends the wait.
    const timespec time{0, patience * 1000000};
    sigtimedwait (&all, nullptr, &time);
  }
  leave_interrupted ();
}

// Writes to the standard error only if that does not block: the reader may be gone, the terminal may be stopped, and a
// thread that waits there with progress output holds the stream's lock.
void tell (std::string_view message) noexcept
{
  pollfd error{STDERR_FILENO, POLLOUT, 0};
  if (poll (&error, 1, 0) == 1 && (error.revents & POLLOUT)) [[maybe_unused]]
    const auto written = write (STDERR_FILENO, message.data (), message.size ());
}

} // namespace

void watch_signals ()
{
  // A reader that closes its end must not end the run: the write fails, which matters only for the standard output.
  std::signal (SIGPIPE, SIG_IGN);
  sigset_t all, ignored;
  sigemptyset (&all);
  sigemptyset (&ignored);
  for (const int signal : ends) {
    sigaddset (&all, signal);
    if (is_ignored (signal))
      sigaddset (&ignored, signal);
  }
  pthread_sigmask (SIG_BLOCK, &all, nullptr); // threads of libraries inherit this
  try {
    start_thread ([all, ignored] { watch (all, ignored); }).detach ();
  } catch (...) {
    pthread_sigmask (SIG_UNBLOCK, &all, nullptr); // there is no thread that would handle them
    throw;
  }
}

bool signalled ()
{
  return came;
}

void told_why () noexcept
{
  told = true;
}

void leave_interrupted () noexcept
{
  static std::mutex once;
  once.lock (); // never unlocked: a second caller waits for the end of the process
  Temporary::remove_all ();
  if (told)
    _exit (failed);
  tell ("sinograph: interrupted\n");
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
